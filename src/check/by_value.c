/* Few values of a bad history that conflict: see by_value.h. */
#include "check/by_value.h"

#include <stdlib.h>
#include <string.h>

#include "base/memory.h"

/* Events on either side: at first; so many times more each time; where that is cheap. */
enum { FIRST_WIDTH = 4, WIDER = 16, BEST_WIDTH = 4096 };

bool pl_has_values(const struct pl_case *c)
{
    const struct pl_spec *s = c->spec;
    const struct pl_history *h = c->history;
    if (c->keyed || s == &pl_spec_register)
        return !c->keyed;
    if (s != &pl_spec_fifo && s != &pl_spec_lifo && s != &pl_spec_pqueue &&
        s != &pl_spec_max_pqueue && s != &pl_spec_bag)
        return false;
    for (uint32_t i = 0; i < h->count; i++)
        if (h->operation[i].result == PL_ANY && !pl_pending(&h->operation[i]))
            return false;
    return true;
}

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

/* --- sets of values ----------------------------------------------------------------- */

struct table {
    uint32_t *slot; /* number of a value + 1 */
    pl_value *value;
    uint32_t mask, count;
};

static void table_init(struct table *t, uint32_t most)
{
    *t = (struct table){.mask = 15};
    while (t->mask < 2 * most)
        t->mask = 2 * t->mask + 1;
    t->slot = pl_zeroed(t->mask, sizeof *t->slot);
    t->value = pl_zeroed(most, sizeof *t->value);
}

static void table_release(struct table *t)
{
    free(t->slot);
    free(t->value);
}

static uint32_t *table_find(const struct table *t, pl_value v)
{
    uint32_t k = (uint32_t)(((uint64_t)v * 0x9e3779b97f4a7c15u) >> 36) & t->mask;
    while (t->slot[k] && t->value[t->slot[k] - 1] != v)
        k = (k + 1) & t->mask;
    return &t->slot[k];
}

static uint32_t table_add(struct table *t, pl_value v)
{
    uint32_t *slot = table_find(t, v);
    if (!*slot) {
        t->value[t->count] = v;
        *slot = ++t->count;
    }
    return *slot - 1;
}

/* --- the fewest --------------------------------------------------------------------- */

/* A unit is everything about one value, or an operation about none that can be left out. */
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

static void rank_units(struct units *u)
{
    const struct pl_history *h = u->c->history;
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

static void make_units(struct units *u)
{
    const struct pl_history *h = u->c->history;
    struct table values;
    uint32_t alone = 0;
    table_init(&values, h->count);
    for (uint32_t i = 0; i < h->count; i++) {
        pl_value v;
        if (value_of(u->c, &h->operation[i], !pl_pending(&h->operation[i]), &v))
            u->unit[i] = table_add(&values, v);
        else
            u->unit[i] = v == PL_ANY ? PL_NEVER : h->count + alone++; /* numbered below */
    }
    for (uint32_t i = 0; i < h->count; i++)
        if (u->unit[i] != PL_NEVER && u->unit[i] >= h->count)
            u->unit[i] += values.count - h->count;
    u->count = values.count + alone;
    table_release(&values);
    rank_units(u);
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

/* Of a bad history of its own. */
static void fewest(struct pl_cuts *cuts, uint32_t around, struct pl_conflict *out)
{
    uint32_t n = cuts->c->history->count;
    struct units u = {.cuts = cuts, .c = cuts->c, .around = around, .wanted = out->wanted};
    u.unit = pl_zeroed(n, sizeof *u.unit);
    u.recent = pl_zeroed(n, sizeof *u.recent);
    u.rank = pl_zeroed(n, sizeof *u.rank);
    u.kept = pl_zeroed(n, sizeof *u.kept);
    make_units(&u);
    out->count = find_units(&u);
    out->minimal = !u.open;
    free(u.unit);
    free(u.recent);
    free(u.rank);
    free(u.kept);
}

/* --- near an event ------------------------------------------------------------------ */

/* The first `events` events of the whole; values are near that have an event in [from, to). */
struct near {
    const struct pl_case *c;
    uint32_t events, from, to;
};

static uint32_t wider(uint32_t width)
{
    return width < PL_NEVER / WIDER ? width * WIDER : PL_NEVER;
}

/* False: everything is near. */
static bool set_window(struct near *n, uint32_t around, uint32_t width)
{
    n->from = around > width ? around - width : 0;
    n->to = n->events - around > width ? around + width : n->events;
    return n->from > 0 || n->to < n->events;
}

static bool in_window(const struct near *n, const struct pl_operation *o)
{
    return (o->call >= n->from && o->call < n->to) || (o->ret >= n->from && o->ret < n->to);
}

/* What is about values that are near, and what can never be left out. */
static void choose_near(const struct near *n, bool *wanted)
{
    const struct pl_history *h = n->c->history;
    struct table near;
    pl_value v;
    table_init(&near, n->to - n->from);
    for (uint32_t e = n->from; e < n->to; e++) {
        const struct pl_operation *o = &h->operation[h->event[e] / 2];
        if (value_of(n->c, o, o->ret < n->events, &v))
            (void)table_add(&near, v);
    }
    memset(wanted, 0, h->count * sizeof *wanted);
    for (uint32_t i = 0; i < h->count && h->operation[i].call < n->events; i++) {
        const struct pl_operation *o = &h->operation[i];
        if (value_of(n->c, o, o->ret < n->events, &v))
            wanted[i] = *table_find(&near, v);
        else
            wanted[i] = v == PL_ANY || in_window(n, o);
    }
    table_release(&near);
}

void pl_find_conflict(struct pl_cuts *cuts, uint32_t around, struct pl_conflict *out)
{
    const struct pl_history *h = cuts->c->history;
    struct near n = {.c = cuts->c, .events = h->events};
    struct pl_check_how ignored;
    struct pl_history small;
    struct pl_case c = *cuts->c;
    uint32_t before = 0, k = 0;
    for (uint32_t width = FIRST_WIDTH;; width = wider(width)) { /* with everything, it is bad */
        bool some = set_window(&n, around, pl_check_over(c.budget) ? n.events : width);
        choose_near(&n, out->wanted);
        if (!some || pl_cut_decide(cuts, out->wanted, n.events, &ignored, NULL) == PL_BAD)
            break;
    }
    pl_cut_make(h, out->wanted, n.events, &small, NULL);
    for (uint32_t e = 0; e < around; e++)
        before += out->wanted[h->event[e] / 2];
    c.history = &small;
    struct pl_cuts alone = {&c, cuts->jobs, cuts->steps};
    struct pl_conflict few = {.wanted = pl_zeroed(small.count, sizeof *few.wanted)};
    fewest(&alone, before, &few);
    cuts->steps = alone.steps;
    for (uint32_t i = 0; i < h->count; i++)
        out->wanted[i] = out->wanted[i] && few.wanted[k++]; /* in the same order */
    out->count = few.count;
    out->minimal = few.minimal;
    free(few.wanted);
    pl_cut_release(&small);
}

/* --- how short a bad prefix is ------------------------------------------------------ */

/*
 * Bad with all that is near: the first event from `from` on with which it is. What is open at an
 * event of the window returns in it, and its value is near, or not at all, and then it is never
 * left out. So the first events of what is near, up to one of the window, are those of the whole
 * without some values: if they are bad the whole is.
 */
static uint32_t first_bad(struct pl_cuts *cuts, uint32_t from)
{
    uint32_t bad = cuts->c->history->events, good = from;
    struct pl_check_how ignored;
    while (good < bad) { /* `from` itself is not known to be good */
        uint32_t middle = good + (bad - good) / 2;
        if (pl_cut_decide(cuts, NULL, middle, &ignored, NULL) == PL_BAD)
            bad = middle;
        else
            good = middle + 1;
    }
    return bad;
}

/* The same in the whole. */
static uint32_t first_bad_near(struct pl_cuts *cuts, const struct near *n, bool *wanted)
{
    const struct pl_history *h = cuts->c->history;
    struct pl_history small;
    struct pl_case c = *cuts->c;
    uint32_t from = 0, e = 0;
    choose_near(n, wanted);
    pl_cut_make(h, wanted, n->events, &small, NULL);
    for (; e < n->from; e++)
        from += wanted[h->event[e] / 2];
    c.history = &small;
    struct pl_cuts alone = {&c, cuts->jobs, cuts->steps};
    uint32_t events = first_bad(&alone, from);
    cuts->steps = alone.steps;
    for (uint32_t seen = from; seen < events; e++)
        seen += wanted[h->event[e] / 2];
    pl_cut_release(&small);
    return e;
}

uint32_t pl_bad_at_most(struct pl_cuts *cuts, uint32_t events, uint32_t around)
{
    struct near n = {.c = cuts->c};
    struct pl_check_how ignored;
    bool *wanted = pl_zeroed(cuts->c->history->count, sizeof *wanted);
    uint32_t width = FIRST_WIDTH;
    around = around < events ? around : events;
    for (;; width = wider(width)) {
        n.events = events - around > width ? around + width : events;
        bool some = set_window(&n, around, width) || n.events < events;
        choose_near(&n, wanted);
        if (!some || pl_cut_decide(cuts, wanted, n.events, &ignored, NULL) == PL_BAD)
            break;
        if (pl_check_over(cuts->c->budget)) {
            free(wanted);
            return events;
        }
    }
    /* More values leave open operations fewer ways out, so that it shows earlier. */
    (void)set_window(&n, around, wider(width) > BEST_WIDTH ? wider(width) : BEST_WIDTH);
    events = first_bad_near(cuts, &n, wanted);
    free(wanted);
    return events;
}
