/* Why a history is bad: see explain.h. */
#include "check/explain.h"

#include <stdlib.h>
#include <string.h>

#include "history/read.h"

enum { MOST_OVERLAPPING = 16, MOST_CONFIRMED = 40 };

/* For one decision: what the deciders leave open is not searched for ever. */
static const double patience = 0.25;

static void *zeroed(size_t count, size_t size)
{
    void *memory = calloc(count + 1, size);
    PL_ASSERT(memory);
    return memory;
}

/* The history of some operations (all: NULL) up to an event. Release operation and event. */
static void cut(const struct pl_history *h, const bool *wanted, uint32_t events,
                struct pl_history *out, pl_value *hint)
{
    uint32_t *number = malloc((h->count + 1) * sizeof *number);
    *out = *h;
    out->count = out->events = 0;
    out->operation = malloc((h->count + 1) * sizeof *out->operation);
    out->event = malloc((events + 1) * sizeof *out->event);
    PL_ASSERT(number && out->operation && out->event);
    for (uint32_t e = 0; e < events; e++) {
        uint32_t i = h->event[e] / 2;
        if (wanted && !wanted[i])
            continue;
        if (h->event[e] % 2 == 0) {
            struct pl_operation *o = &out->operation[number[i] = out->count++];
            *o = h->operation[i];
            o->call = out->events;
            o->ret = PL_NEVER;
            o->result = PL_ANY;
            if (hint)
                hint[number[i]] = h->operation[i].result;
        } else {
            out->operation[number[i]].ret = out->events;
            out->operation[number[i]].result = h->operation[i].result;
        }
        out->event[out->events++] = number[i] * 2 + h->event[e] % 2;
    }
    free(number);
}

static enum pl_decision decide(const struct pl_case *c, const struct pl_history *h,
                               const pl_value *hint, unsigned jobs, uint32_t *reached)
{
    struct pl_case part = *c;
    struct pl_witness w;
    struct pl_check_how how;
    struct pl_budget budget = {.until = pl_check_now() + patience};
    if (c->budget) {
        budget.stop = c->budget->stop;
        if (c->budget->until > 0 && c->budget->until < budget.until)
            budget.until = c->budget->until;
    }
    part.history = h;
    part.budget = &budget;
    part.hint = hint;
    pl_witness_init(&w, h->count);
    enum pl_decision decision = pl_check(&part, jobs, &w, &how);
    *reached = how.parts == 1 ? w.reached : 0;
    pl_witness_release(&w);
    return decision;
}

static enum pl_decision decide_cut(const struct pl_case *c, const bool *wanted, uint32_t events,
                                   unsigned jobs, uint32_t *reached)
{
    struct pl_history h;
    pl_value *hint = zeroed(c->history->count, sizeof *hint);
    cut(c->history, wanted, events, &h, hint);
    enum pl_decision decision = decide(c, &h, hint, jobs, reached);
    free(h.operation);
    free(h.event);
    free(hint);
    return decision;
}

static void find_prefix(const struct pl_case *c, unsigned jobs, struct pl_explanation *out)
{
    uint32_t good = 0, bad = c->history->events, reached = 0;
    out->shortest = true;
    while (good + 1 < bad) {
        /* As far as a search came there is an order; most often not an event further. */
        bool near = reached > good;
        good = near ? reached : good;
        uint32_t middle = near ? good + 1 : good + (bad - good) / 2;
        enum pl_decision decision =
            middle < bad ? decide_cut(c, NULL, middle, jobs, &reached) : PL_BAD;
        if (decision == PL_BAD)
            bad = middle;
        else
            good = middle;
        out->shortest = out->shortest && decision != PL_NEITHER;
        if (pl_check_over(c->budget))
            break;
    }
    while (bad && c->history->event[bad - 1] % 2 == 0)
        bad--; /* a call makes nothing bad */
    out->events = bad;
    out->last = bad ? c->history->event[bad - 1] / 2 : 0;
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

static bool has_values(const struct pl_spec *s)
{
    return s == &pl_spec_fifo || s == &pl_spec_lifo || s == &pl_spec_pqueue ||
           s == &pl_spec_max_pqueue || s == &pl_spec_bag || s == &pl_spec_register;
}

struct units {
    const struct pl_case *c;
    uint32_t around;  /* this event */
    uint32_t *unit;   /* of an operation; PL_NEVER: it always stays */
    uint32_t *recent; /* the units, those with the nearest events first */
    uint32_t *rank;   /* of a unit in recent */
    uint32_t count;
    bool *kept, *wanted;
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

/* With the units kept and the `most` nearest ones. */
static enum pl_decision with(struct units *u, uint32_t most)
{
    const struct pl_history *h = u->c->history;
    for (uint32_t i = 0; i < h->count; i++) {
        uint32_t k = u->unit[i];
        u->wanted[i] = k == PL_NEVER || u->kept[k] || u->rank[k] < most;
    }
    uint32_t ignored;
    return decide_cut(u->c, u->wanted, h->events, 1, &ignored);
}

/*
 * Adding units never makes a bad history good, so: the fewest nearest units that are bad with
 * those kept; the last of them is needed; keep it, go on with those before it.
 */
static bool find_units(struct units *u)
{
    uint32_t limit = u->count;
    while (with(u, 0) != PL_BAD) {
        uint32_t good = 0, bad = 4;
        if (!limit || pl_check_over(u->c->budget))
            return false;
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
    return true;
}

/* The same once more by the search, which knows nothing of values. */
static void confirm(const struct pl_case *c, const bool *wanted, uint32_t events)
{
    struct pl_history h;
    struct pl_witness w;
    struct pl_case small = *c;
    cut(c->history, wanted, events, &h, NULL);
    small.history = &h;
    pl_witness_init(&w, h.count);
    if (h.count <= MOST_CONFIRMED && pl_decide_search(&small, &w) == PL_GOOD)
        pl_bug(__FILE__, __LINE__, "the operations named have an order");
    pl_witness_release(&w);
    free(h.operation);
    free(h.event);
}

static bool by_value(const struct pl_case *c, struct pl_explanation *out, bool *wanted)
{
    uint32_t n = c->history->count;
    struct units u = {.c = c, .around = out->events, .wanted = wanted};
    u.unit = zeroed(n, sizeof *u.unit);
    u.recent = zeroed(n, sizeof *u.recent);
    u.rank = zeroed(n, sizeof *u.rank);
    u.kept = zeroed(n, sizeof *u.kept);
    make_units(&u);
    bool found = find_units(&u);
    if (found) {
        confirm(c, wanted, c->history->events);
    }
    free(u.unit);
    free(u.recent);
    free(u.rank);
    free(u.kept);
    return found;
}

/* --- by time ------------------------------------------------------------------------ */

static bool same_part(const struct pl_case *c, const struct pl_operation *a,
                      const struct pl_operation *b)
{
    if (c->keyed)
        return a->argument[PL_KEY] == b->argument[PL_KEY];
    if (!c->spec->part)
        return true;
    pl_value x = c->spec->part(a), y = c->spec->part(b);
    return x == y || x == PL_ANY || y == PL_ANY;
}

static void overlapping(const struct pl_case *c, struct pl_explanation *out, bool *wanted)
{
    const struct pl_history *h = c->history;
    const struct pl_operation *last = &h->operation[out->last];
    uint32_t count = 0;
    memset(wanted, 0, h->count * sizeof *wanted);
    for (uint32_t e = out->events; e-- > 0 && count < MOST_OVERLAPPING;) {
        uint32_t i = h->event[e] / 2;
        if (wanted[i] || !same_part(c, &h->operation[i], last))
            continue;
        if (e < last->call && count > 3)
            break; /* all that overlap, and a few before */
        wanted[i] = true;
        count++;
    }
}

void pl_explain(const struct pl_case *c, unsigned jobs, struct pl_explanation *out)
{
    const struct pl_history *h = c->history;
    bool *wanted = zeroed(h->count, sizeof *wanted);
    *out = (struct pl_explanation){0};
    find_prefix(c, jobs, out);
    if (!c->keyed && has_values(c->spec))
        out->minimal = by_value(c, out, wanted);
    if (!out->minimal)
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
