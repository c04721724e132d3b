/* C++ names without the template arguments nobody reads: std::map<…>::operator[]. */
#include <string.h>

#include "report/view.h"

enum { SHORT_ARGUMENTS = 24 };

/* Is the '<' at `at` that of operator<, operator<<, operator<=? */
static bool of_operator(const char *name, const char *at)
{
    static const char word[] = "operator";
    size_t length = sizeof word - 1;
    while (at > name && at[-1] == '<')
        at--;
    return (size_t)(at - name) >= length && strncmp(at - length, word, length) == 0;
}

/* Past the '>' that closes the '<' at `at`; NULL if none does. */
static const char *closing(const char *at)
{
    int depth = 0;
    for (const char *p = at; *p; p++) {
        if (*p == '<')
            depth++;
        else if (*p == '>' && p[-1] != '-' && --depth == 0)
            return p + 1;
    }
    return NULL;
}

void name_short(const char *name, struct pl_strbuf *out)
{
    for (const char *p = name; *p;) {
        const char *end = *p == '<' && !of_operator(name, p) ? closing(p) : NULL;
        if (end && end - p > SHORT_ARGUMENTS) {
            pl_strbuf_add(out, "<…>");
            p = end;
        } else if (end) {
            pl_strbuf_add_bytes(out, p, (size_t)(end - p));
            p = end;
        } else {
            pl_strbuf_add_bytes(out, p++, 1);
        }
    }
}

size_t text_width(const char *text)
{
    size_t width = 0;
    for (; *text; text++)
        width += ((unsigned char)*text & 0xc0) != 0x80; /* not a continuation of UTF-8 */
    return width;
}
