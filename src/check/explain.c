/* Why a history is bad: see explain.h. */
#include "check/explain.h"

#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "check/by_value.h"
#include "check/parts.h"

enum { MOST_OVERLAPPING = 16, MOST_CONFLICTING = 24, MOST_CONFIRMED = 40 };

/* Steps of searches: to confirm; at least, whatever deciding took. */
enum { CONFIRMING = 4096, LEAST_PREFIX = 1 << 16, LEAST_VALUES = 1 << 15 };

/* The same once more by the search, which knows nothing of values. */
static void confirm(const struct pl_cuts *cuts, const bool *wanted)
{
    struct pl_budget budget = cuts->c->budget ? *cuts->c->budget : (struct pl_budget){0};
    struct pl_history h;
    struct pl_witness w;
    struct pl_case small = *cuts->c;
    pl_cut_make(small.history, wanted, small.history->events, &h, NULL);
    budget.steps = CONFIRMING;
    small.history = &h;
    small.budget = &budget;
    pl_witness_init(&w, h.count);
    if (pl_decide_search(&small, &w) == PL_GOOD)
        pl_bug(__FILE__, __LINE__, "the operations named have an order");
    pl_witness_release(&w);
    pl_cut_release(&h);
}

static void by_value(struct pl_cuts *cuts, struct pl_explanation *out, bool *wanted)
{
    struct pl_conflict found = {.wanted = wanted};
    pl_find_conflict(cuts, out->events, &found);
    out->minimal = found.minimal;
    out->conflict = out->minimal || found.count <= MOST_CONFLICTING;
    if (found.count <= MOST_CONFIRMED)
        confirm(cuts, wanted);
}

/* --- by time ------------------------------------------------------------------------ */

static void overlapping(const struct pl_case *c, struct pl_explanation *out, bool *wanted)
{
    const struct pl_history *h = c->history;
    const struct pl_operation *last = &h->operation[out->last];
    uint32_t count = 0;
    memset(wanted, 0, h->count * sizeof *wanted);
    for (uint32_t e = out->events; e-- > 0 && count < MOST_OVERLAPPING;) {
        uint32_t i = h->event[e] / 2;
        if (wanted[i] || !pl_parts_same(c, &h->operation[i], last))
            continue;
        if (e < last->call && count > 3)
            break; /* all that overlap, and a few before */
        wanted[i] = true;
        count++;
    }
}

void pl_explain(const struct pl_case *c, const struct pl_check_how *how, unsigned jobs,
                struct pl_explanation *out)
{
    static const struct pl_check_how unknown = {.parts = 1, .bad = PL_NEVER};
    const struct pl_history *h = c->history;
    struct pl_cuts cuts = {c, jobs, 0};
    bool *wanted = pl_zeroed(h->count, sizeof *wanted);
    *out = (struct pl_explanation){0};
    how = how ? how : &unknown;
    cuts.steps = LEAST_PREFIX + 2 * how->steps;
    out->shortest = pl_find_prefix(&cuts, how, &out->events);
    out->last = h->event[out->events - 1] / 2;
    cuts.steps = LEAST_VALUES + how->steps / 2;
    if (pl_has_values(c))
        by_value(&cuts, out, wanted);
    if (!out->conflict)
        overlapping(c, out, wanted);
    out->operation = pl_zeroed(h->count, sizeof *out->operation);
    for (uint32_t i = 0; i < h->count; i++)
        if (wanted[i])
            out->operation[out->count++] = i;
    free(wanted);
}

void pl_explanation_release(struct pl_explanation *e)
{
    free(e->operation);
    *e = (struct pl_explanation){0};
}
