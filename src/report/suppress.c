/* The suppression file: reading it, and turning its rules into code ranges. */
#include "report/suppress.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/strbuf.h"

/* Kinds of ThreadSanitizer that silence what is not reported here. */
static const char *const unused_kinds[] = {"race_top", "thread",   "mutex",
                                           "signal",   "deadlock", "called_from_lib"};

bool pl_suppress_fits(const char *pattern, const char *text)
{
    bool start = pattern[0] == '^', star = false;
    if (!text || !text[0])
        return false;
    pattern += start;
    while (*pattern) {
        if (*pattern == '*') {
            pattern++;
            start = false;
            star = true;
            continue;
        }
        if (*pattern == '$')
            return !*text || star;
        size_t length = strcspn(pattern, "*$");
        const char *found = memmem(text, strlen(text), pattern, length);
        if (!found || (start && found != text))
            return false;
        if (pattern[length] == '$' && !pattern[length + 1]) { /* the last place it fits */
            size_t whole = strlen(text);
            return whole >= length && (!start || whole == length) &&
                   memcmp(text + whole - length, pattern, length) == 0;
        }
        text = found + length;
        pattern += length;
        start = star = false;
    }
    return true;
}

static enum pl_status parse_line(struct pl_suppress *out, char *line, int number,
                                 struct pl_error *error)
{
    while (*line == ' ' || *line == '\t')
        line++;
    size_t length = strlen(line);
    while (length && strchr(" \t\r", line[length - 1]))
        line[--length] = '\0';
    if (!*line || *line == '#')
        return PL_OK;
    char *colon = strchr(line, ':');
    if (!colon)
        return pl_fail(error, PL_ERR_INPUT, "%s:%d: '%s' is not a rule; write race:PATTERN",
                       out->file, number, line);
    *colon = '\0';
    if (!colon[1])
        return pl_fail(error, PL_ERR_INPUT, "%s:%d: a pattern must follow '%s:'", out->file, number,
                       line);
    if (strcmp(line, "race") != 0) {
        for (size_t i = 0; i < sizeof unused_kinds / sizeof unused_kinds[0]; i++)
            if (strcmp(line, unused_kinds[i]) == 0) {
                if (!out->unused_line) {
                    out->unused_line = number;
                    (void)snprintf(out->unused_kind, sizeof out->unused_kind, "%s", line);
                }
                return PL_OK;
            }
        return pl_fail(error, PL_ERR_INPUT,
                       "%s:%d: '%s' is no kind of suppression; write race:PATTERN", out->file,
                       number, line);
    }
    if (out->count == PL_MAX_SUPPRESSIONS)
        return pl_fail(error, PL_ERR_LIMIT, "%s:%d: more than %d rules", out->file, number,
                       PL_MAX_SUPPRESSIONS);
    char *pattern = strdup(colon + 1);
    PL_ASSERT(pattern);
    out->rule[out->count++] = (struct pl_suppress_rule){pattern, number};
    return PL_OK;
}

enum pl_status pl_suppress_parse(struct pl_suppress *out, const char *file, const char *text,
                                 struct pl_error *error)
{
    *out = (struct pl_suppress){.file = strdup(file)};
    char *copy = strdup(text);
    PL_ASSERT(out->file && copy);
    enum pl_status status = PL_OK;
    int number = 0;
    for (char *line = copy; line && !status;) {
        char *end = strchr(line, '\n');
        if (end)
            *end = '\0';
        status = parse_line(out, line, ++number, error);
        line = end ? end + 1 : NULL;
    }
    free(copy);
    if (status)
        pl_suppress_release(out);
    return status;
}

enum pl_status pl_suppress_read(struct pl_suppress *out, const char *file, struct pl_error *error)
{
    FILE *in = fopen(file, "re");
    if (!in)
        return pl_fail(error, PL_ERR_INPUT, "--suppressions %s: %s", file, strerror(errno));
    struct pl_strbuf text;
    pl_strbuf_init(&text);
    char part[4096];
    for (size_t n; (n = fread(part, 1, sizeof part, in)) > 0;)
        pl_strbuf_add_bytes(&text, part, n);
    enum pl_status status =
        ferror(in) ? pl_fail(error, PL_ERR_INPUT, "--suppressions %s: cannot be read", file)
                   : pl_suppress_parse(out, file, text.text, error);
    (void)fclose(in);
    pl_strbuf_release(&text);
    return status;
}

void pl_suppress_release(struct pl_suppress *s)
{
    for (size_t i = 0; i < s->count; i++)
        free(s->rule[i].pattern);
    free(s->file);
    *s = (struct pl_suppress){0};
}

/* ---- ranges ---- */

struct gathered {
    struct pl_wire_range *range;
    size_t count, room;
    uint32_t rule;
};

static bool fits(void *context, const char *text)
{
    return pl_suppress_fits(context, text);
}

static void take(void *context, struct pl_range range)
{
    struct gathered *g = context;
    if (g->count == g->room) {
        g->room = g->room ? g->room * 2 : 256;
        struct pl_wire_range *bigger = realloc(g->range, g->room * sizeof *bigger);
        PL_ASSERT(bigger);
        g->range = bigger;
    }
    g->range[g->count++] =
        (struct pl_wire_range){.start = range.start, .end = range.end, .rule = g->rule};
}

static int by_start(const void *a, const void *b)
{
    const struct pl_wire_range *x = a, *y = b;
    return x->start < y->start ? -1 : x->start > y->start;
}

static int by_number(const void *a, const void *b)
{
    const uint64_t *x = a, *y = b;
    return *x < *y ? -1 : *x > *y;
}

/* Ranges nest (inlined in a function) and rules overlap; a binary search wants neither. Cut
   at every boundary, give each piece to the first rule that covers it, join neighbours. */
static enum pl_status flatten(struct gathered *g, struct pl_wire_options *options, const char *file,
                              struct pl_error *error)
{
    uint64_t *cuts = malloc((2 * g->count + 1) * sizeof *cuts);
    PL_ASSERT(cuts);
    for (size_t i = 0; i < g->count; i++) {
        cuts[2 * i] = g->range[i].start;
        cuts[2 * i + 1] = g->range[i].end;
    }
    qsort(cuts, 2 * g->count, sizeof *cuts, by_number);
    qsort(g->range, g->count, sizeof *g->range, by_start);
    size_t first = 0; /* ranges before it end before the piece */
    enum pl_status status = PL_OK;
    for (size_t c = 0; c + 1 < 2 * g->count && !status; c++) {
        uint64_t start = cuts[c], end = cuts[c + 1];
        uint32_t rule = UINT32_MAX;
        while (first < g->count && g->range[first].end <= start)
            first++;
        for (size_t i = first; i < g->count && g->range[i].start <= start; i++)
            if (g->range[i].end >= end && g->range[i].rule < rule)
                rule = g->range[i].rule;
        if (start == end || rule == UINT32_MAX)
            continue;
        struct pl_wire_range *last = options->ranges ? &options->range[options->ranges - 1] : NULL;
        if (last && last->end == start && last->rule == rule)
            last->end = end;
        else if (options->ranges == PL_MAX_RANGES)
            status = pl_fail(error, PL_ERR_LIMIT,
                             "%s: its patterns fit too many functions; make them narrower", file);
        else
            options->range[options->ranges++] =
                (struct pl_wire_range){.start = start, .end = end, .rule = rule};
    }
    free(cuts);
    return status;
}

enum pl_status pl_suppress_resolve(const struct pl_suppress *s, struct pl_symbols *symbols,
                                   struct pl_wire_options *options, struct pl_error *error)
{
    struct gathered g = {0};
    options->ranges = 0;
    options->rules = (uint32_t)s->count;
    for (size_t i = 0; i < s->count; i++) {
        g.rule = (uint32_t)i;
        pl_symbols_ranges(symbols, fits, s->rule[i].pattern, take, &g);
    }
    enum pl_status status = g.count ? flatten(&g, options, s->file, error) : PL_OK;
    free(g.range);
    return status;
}
