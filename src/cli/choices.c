/*
 * The choices of an execution as text: a letter for each value below 64, "~ff" for
 * a larger one, "A{17}" for a run. Traces of schedules are mostly runs.
 */
#include <stdlib.h>
#include <string.h>

#include "cli/save.h"

static const char letters[] = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz-_";
enum { SHORTEST_RUN = 4, MOST_CHOICES = PL_MAX_BYTES };

void pl_choices_text(const uint8_t *choices, size_t count, struct pl_strbuf *out)
{
    for (size_t i = 0, run; i < count; i += run) {
        run = 1;
        while (i + run < count && choices[i + run] == choices[i])
            run++;
        if (run < SHORTEST_RUN)
            run = 1;
        if (choices[i] < 64)
            pl_strbuf_add_bytes(out, &letters[choices[i]], 1);
        else
            pl_strbuf_addf(out, "~%02x", choices[i]);
        if (run > 1)
            pl_strbuf_addf(out, "{%zu}", run);
    }
}

static bool parse_value(const char **text, uint8_t *value)
{
    const char *p = *text;
    if (*p == '~') {
        char hex[3] = {p[1], p[1] ? p[2] : '\0', '\0'};
        char *end;
        *value = (uint8_t)strtoul(hex, &end, 16);
        *text = p + 3;
        return end == hex + 2 && hex[0] != '-' && hex[0] != '+' && hex[0] != ' ';
    }
    const char *letter = strchr(letters, *p);
    if (!letter)
        return false;
    *value = (uint8_t)(letter - letters);
    *text = p + 1;
    return true;
}

static bool parse_run(const char **text, size_t *run)
{
    *run = 1;
    if (**text != '{')
        return true;
    char *end;
    const char *digits = *text + 1;
    *run = *digits >= '0' && *digits <= '9' ? strtoul(digits, &end, 10) : 0;
    if (!*run || *end != '}')
        return false;
    *text = end + 1;
    return true;
}

bool pl_choices_parse(const char *text, uint8_t **choices, uint32_t *count)
{
    struct pl_strbuf bytes;
    pl_strbuf_init(&bytes);
    bool fine = true;
    while (*text && fine) {
        uint8_t value = 0;
        size_t run = 0;
        fine = parse_value(&text, &value) && parse_run(&text, &run) &&
               run <= MOST_CHOICES - bytes.length;
        for (size_t i = 0; fine && i < run; i++)
            pl_strbuf_add_bytes(&bytes, &value, 1);
    }
    *count = (uint32_t)bytes.length;
    if (fine)
        *choices = (uint8_t *)pl_strbuf_detach(&bytes);
    else
        pl_strbuf_release(&bytes);
    return fine;
}
