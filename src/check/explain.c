/* Why a history is bad: see explain.h. */
#include "check/explain.h"

#include <stdlib.h>
#include <string.h>

#include "check/cut.h"
#include "check/parts.h"

enum { MOST_OVERLAPPING = 16, MOST_CONFLICTING = 24, MOST_CONFIRMED = 40 };

/* Steps of searches: to confirm; at least, whatever deciding took. */
enum { CONFIRMING = 4096, LEAST_PREFIX = 1 << 16, LEAST_VALUES = 1 << 15 };

static void *zeroed(size_t count, size_t size)
{
    void *memory = calloc(count + 1, size);
    PL_ASSERT(memory);
    return memory;
}

/* --- by value ----------------------------------------------------------------------- */

/* The value an operation is about; false: it stays, or goes, by itself (PL_NIL), or must stay
   (PL_ANY). */
static bool value_of(const struct pl_case *c, const struct pl_operation *o, bool returned,
                     pl_value *value)
{
    if (c->spec == &pl_spec_register) {
        *value = o->code == PL_REGISTER_WRITE ? o->argument[0] : returned ? o->result : PL_NIL;
        return *value != PL_NIL && *value != PL_ANY;
    }
    *value = o->code == PL_PUT ? o->argument[0] : returned ? o->result : PL_ANY;
    return *value != PL_NIL && *value != PL_ANY;
}

/* Can everything about a value be left out, and a good history stays good? Not if a take has
   returned with an unknown value: without the one it took it would have to find another. */
static bool has_values(const struct pl_case *c)
{
    const struct pl_spec *s = c->spec;
    const struct pl_history *h = c->history;
    if (c->keyed || s == &pl_spec_register)
        return !c->keyed;
    for (uint32_t i = 0; i < h->count; i++)
        if (h->operation[i].result == PL_ANY && !pl_pending(&h->operation[i]))
            return false;
    return s == &pl_spec_fifo || s == &pl_spec_lifo || s == &pl_spec_pqueue ||
           s == &pl_spec_max_pqueue || s == &pl_spec_bag;
}

struct units {
    struct pl_cuts *cuts;
    const struct pl_case *c;
    uint32_t around;  /* this event */
    uint32_t *unit;   /* of an operation; PL_NEVER: it always stays */
    uint32_t *recent; /* the units, those with the nearest events first */
    uint32_t *rank;   /* of a unit in recent */
    uint32_t count;
    bool *kept, *wanted;
    bool open; /* of some it could not be told whether they are bad */
};

static void make_units(struct units *u)
{
    const struct pl_history *h = u->c->history;
    uint32_t mask = 15;
    while (mask < 2 * h->count)
        mask = 2 * mask + 1;
    uint32_t *slot = zeroed(mask, sizeof *slot);
    pl_value *values = zeroed(h->count, sizeof *values);
    for (uint32_t i = 0; i < h->count; i++) {
        pl_value v;
        if (!value_of(u->c, &h->operation[i], !pl_pending(&h->operation[i]), &v)) {
            u->unit[i] = v == PL_ANY ? PL_NEVER : u->count++;
            continue;
        }
        uint32_t k = (uint32_t)(((uint64_t)v * 0x9e3779b97f4a7c15u) >> 36) & mask;
        while (slot[k] && values[slot[k] - 1] != v)
            k = (k + 1) & mask;
        if (!slot[k]) {
            values[u->count] = v;
            slot[k] = ++u->count;
        }
        u->unit[i] = slot[k] - 1;
    }
    free(values);
    free(slot);
    uint32_t ranked = 0;
    memset(u->rank, 0xff, u->count * sizeof *u->rank);
    for (uint32_t e = 0; e < 2 * h->events; e++) { /* outwards from there */
        uint32_t step = e / 2, t = e % 2 ? u->around + step : u->around - 1 - step;
        if (t >= h->events)
            continue;
        uint32_t k = u->unit[h->event[t] / 2];
        if (k != PL_NEVER && u->rank[k] == PL_NEVER) {
            u->rank[k] = ranked;
            u->recent[ranked++] = k;
        }
    }
}

/* The units kept and the `most` nearest ones; how many operations? */
static uint32_t choose(struct units *u, uint32_t most)
{
    uint32_t count = 0;
    for (uint32_t i = 0; i < u->c->history->count; i++) {
        uint32_t k = u->unit[i];
        u->wanted[i] = k == PL_NEVER || u->kept[k] || u->rank[k] < most;
        count += u->wanted[i];
    }
    return count;
}

static enum pl_decision with(struct units *u, uint32_t most)
{
    const struct pl_history *h = u->c->history;
    struct pl_check_how ignored;
    (void)choose(u, most);
    enum pl_decision decision = pl_cut_decide(u->cuts, u->wanted, h->events, &ignored, NULL);
    u->open = u->open || decision == PL_NEITHER;
    return decision;
}

/*
 * Adding units never makes a bad history good, so: the fewest nearest units that are bad with
 * those kept; the last of them is needed; keep it, go on with those before it. What cannot be
 * told is taken for good: then more are kept than need be. Those kept and the `limit` nearest are
 * always bad, and at the end these are wanted; how many operations?
 */
static uint32_t find_units(struct units *u)
{
    uint32_t limit = u->count;
    while (limit) {
        if (with(u, 0) == PL_BAD)
            return choose(u, 0);
        if (!u->cuts->steps || pl_check_over(u->c->budget)) {
            u->open = true;
            break;
        }
        uint32_t good = 0, bad = 4;
        while (bad < limit && with(u, bad) != PL_BAD) {
            good = bad;
            bad *= 4;
        }
        bad = bad < limit ? bad : limit;
        while (good + 1 < bad) {
            uint32_t middle = good + (bad - good) / 2;
            *(with(u, middle) != PL_BAD ? &good : &bad) = middle;
        }
        u->kept[u->recent[bad - 1]] = true;
        limit = bad - 1;
    }
    return choose(u, limit);
}

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
    const struct pl_case *c = cuts->c;
    uint32_t n = c->history->count;
    struct units u = {.cuts = cuts, .c = c, .around = out->events, .wanted = wanted};
    u.unit = zeroed(n, sizeof *u.unit);
    u.recent = zeroed(n, sizeof *u.recent);
    u.rank = zeroed(n, sizeof *u.rank);
    u.kept = zeroed(n, sizeof *u.kept);
    make_units(&u);
    uint32_t count = find_units(&u);
    out->minimal = !u.open;
    out->conflict = out->minimal || count <= MOST_CONFLICTING;
    if (count <= MOST_CONFIRMED)
        confirm(cuts, wanted);
    free(u.unit);
    free(u.recent);
    free(u.rank);
    free(u.kept);
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
    bool *wanted = zeroed(h->count, sizeof *wanted);
    *out = (struct pl_explanation){0};
    how = how ? how : &unknown;
    cuts.steps = LEAST_PREFIX + 2 * how->steps;
    out->shortest = pl_find_prefix(&cuts, how, &out->events);
    out->last = h->event[out->events - 1] / 2;
    cuts.steps = LEAST_VALUES + how->steps / 2;
    if (has_values(c))
        by_value(&cuts, out, wanted);
    if (!out->conflict)
        overlapping(c, out, wanted);
    out->operation = zeroed(h->count, sizeof *out->operation);
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
