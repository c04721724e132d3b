/* See told.h. */
#include "cli/told.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

static void tell_rows(FILE *f, const char *name, const uint64_t *row, unsigned rows)
{
    (void)fprintf(f, "\t%s", name);
    for (unsigned i = 0; i < rows; i++)
        (void)fprintf(f, " %" PRIx64, row[i]);
}

static void tell_sets(FILE *f, const char *name, const uint32_t *set, unsigned sets)
{
    (void)fprintf(f, "\t%s", name);
    for (unsigned i = 0; i < sets; i++)
        (void)fprintf(f, " %" PRIx32, set[i]);
}

void pl_tell_history(const struct pl_trial *t, const struct pl_seen_history *h)
{
    const char *path = getenv("PLUMB_TELL_HISTORIES");
    FILE *f = path ? fopen(path, "a") : NULL;
    if (!f)
        return;
    unsigned calls = h->head.operations;
    struct pl_strbuf test;
    pl_strbuf_init(&test);
    pl_test_print(t->test, t->calls, &test);
    (void)fprintf(f, "%s: %s %" PRIx32 " %" PRIx32, test.text,
                  h->head.kind == PL_HISTORY_STUCK ? "stuck" : "whole", h->head.called,
                  h->head.returned);
    for (unsigned i = 0; i < calls; i++)
        if (h->head.returned >> i & 1)
            (void)fprintf(f, " %u=%s", i, t->responses.at[h->answer[i]].text);
    tell_rows(f, "order", h->order.before, 2 * calls);
    tell_sets(f, "passed", h->passed, calls);
    if (h->head.clients != PL_CLIENTS_NONE) {
        tell_rows(f, "cause", h->allowed.cause, 2 * calls);
        tell_rows(f, "global", h->allowed.global, 2 * calls);
        tell_sets(f, "barred", h->allowed.barred, calls);
    }
    (void)fputc('\n', f);
    (void)fclose(f);
    pl_strbuf_release(&test);
}
