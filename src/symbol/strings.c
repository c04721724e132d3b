/* Texts that live as long as the symbols, and how a path is printed. */
#include <stdlib.h>
#include <string.h>

#include "symbol/internal.h"

void *symbol_grow(void *array, size_t count, size_t *room, size_t size)
{
    if (count < *room)
        return array;
    *room = *room ? *room * 2 : 64;
    void *bigger = realloc(array, *room * size);
    PL_ASSERT(bigger);
    return bigger;
}

const char *symbol_keep(struct pl_symbols *s, const char *text)
{
    s->strings = symbol_grow(s->strings, s->string_count, &s->string_room, sizeof *s->strings);
    char *copy = strdup(text);
    PL_ASSERT(copy);
    s->strings[s->string_count++] = copy;
    return copy;
}

/* "/a/./b/../c" -> "/a/c": textual, so that the answer does not depend on what exists. */
static void normalise(const char *path, struct pl_strbuf *out)
{
    for (const char *p = path; *p;) {
        while (*p == '/')
            p++;
        size_t n = strcspn(p, "/");
        if (n == 2 && p[0] == '.' && p[1] == '.') {
            while (out->length && out->text[out->length - 1] != '/')
                out->text[--out->length] = '\0';
            if (out->length)
                out->text[--out->length] = '\0';
        } else if (n && !(n == 1 && p[0] == '.')) {
            pl_strbuf_add(out, "/");
            pl_strbuf_add_bytes(out, p, n);
        }
        p += n;
    }
}

const char *symbol_path(struct pl_symbols *s, const char *full)
{
    struct pl_strbuf text;
    pl_strbuf_init(&text);
    if (full[0] == '/') {
        normalise(full, &text);
    } else {
        struct pl_strbuf joined;
        pl_strbuf_init(&joined);
        pl_strbuf_add(&joined, s->directory);
        pl_strbuf_add(&joined, full);
        normalise(joined.text, &text);
        pl_strbuf_release(&joined);
    }
    const char *shown = text.text;
    size_t n = strlen(s->directory);
    if (strncmp(shown, s->directory, n) == 0 && n > 1)
        shown += n;
    for (size_t i = 0; i < s->given_count; i++)
        if (strcmp(s->given[i].full, text.text) == 0)
            shown = s->given[i].given;
    const char *kept = symbol_keep(s, shown);
    pl_strbuf_release(&text);
    return kept;
}

void pl_symbols_name_file(struct pl_symbols *s, const char *given)
{
    struct pl_strbuf joined, full;
    pl_strbuf_init(&joined);
    pl_strbuf_init(&full);
    if (given[0] != '/')
        pl_strbuf_add(&joined, s->directory);
    pl_strbuf_add(&joined, given);
    normalise(joined.text, &full);
    pl_strbuf_release(&joined);
    struct given_file *bigger = realloc(s->given, (s->given_count + 1) * sizeof *bigger);
    PL_ASSERT(bigger);
    s->given = bigger;
    /* "./x.c" is printed "x.c", as compilers print it when given that. */
    while (given[0] == '.' && given[1] == '/')
        given += 2;
    char *copy = strdup(given);
    PL_ASSERT(copy);
    s->given[s->given_count++] = (struct given_file){pl_strbuf_detach(&full), copy};
}
