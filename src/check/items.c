/* The common part of the deciders of containers: see items.h. */
#include "check/items.h"

#include <stdlib.h>
#include <string.h>

#include "base/memory.h"

/* value -> item, open addressing. Values lie in it, and those next to each other together, since
   most of the time here is spent waiting for memory. */
struct table {
    struct slot {
        pl_value value;
        uint32_t item; /* + 1; 0: free */
    } * slot;
    uint32_t mask;
};

enum { NEIGHBOURS = 4 };

static uint32_t hash(pl_value v)
{
    uint64_t h = (uint64_t)v / NEIGHBOURS * 0x9e3779b97f4a7c15u;
    return (uint32_t)(h >> 32 ^ h >> 17) * NEIGHBOURS + (uint32_t)((uint64_t)v % NEIGHBOURS);
}

static struct slot *find(const struct table *t, pl_value value)
{
    uint32_t i = hash(value) & t->mask;
    while (t->slot[i].item && t->slot[i].value != value)
        i = (i + 1) & t->mask;
    return &t->slot[i];
}

/* An operation is looked up a few later ones after this: until then what it needs has come. */
static inline void expect(const struct table *t, const struct pl_history *h, uint32_t k)
{
    enum { LATER = 8 };
    if (h->count - k <= LATER)
        return;
    const struct pl_operation *o = &h->operation[k + LATER];
    pl_value value = o->code == PL_PUT ? o->argument[0] : o->result;
    __builtin_prefetch(&t->slot[hash(value) & t->mask]);
}

static void table_init(struct table *t, uint32_t puts)
{
    *t = (struct table){.mask = 15};
    while (t->mask < puts + puts / 2)
        t->mask = t->mask * 2 + 1;
    t->slot = pl_zeroed(t->mask, sizeof *t->slot);
}

void pl_points_add(struct pl_points *p, uint32_t operation, pl_value answer, uint32_t gap)
{
    p->operation[p->count] = operation;
    p->answer[p->count] = answer;
    p->gap[p->count++] = gap;
}

static uint32_t returns_at(const struct pl_items *s, uint32_t operation)
{
    const struct pl_operation *o = &s->c->history->operation[operation];
    return pl_pending(o) ? s->after : o->ret + 1;
}

void pl_items_set_take(const struct pl_items *s, struct pl_item *i, uint32_t take)
{
    const struct pl_operation *o = take == PL_NONE ? NULL : &s->c->history->operation[take];
    i->take = take;
    i->c = o ? o->call + 1 : s->never_call;
    i->d = o && !pl_pending(o) ? o->ret + 1 : s->never_return;
}

/* Puts become items; true if every value is put once. The table has the first of each. */
static bool add_puts(struct pl_items *s, struct table *t)
{
    const struct pl_history *h = s->c->history;
    bool distinct = true;
    for (uint32_t k = 0; k < h->count; k++) {
        expect(t, h, k);
        if (h->operation[k].code != PL_PUT)
            continue;
        pl_value value = h->operation[k].argument[0];
        struct slot *slot = find(t, value);
        struct pl_item *i = &s->item[s->count++];
        distinct = distinct && !slot->item;
        *slot = slot->item ? *slot : (struct slot){value, s->count};
        i->put = k;
        i->a = h->operation[k].call + 1;
        i->b = returns_at(s, k);
        pl_items_set_take(s, i, PL_NONE);
    }
    return distinct;
}

static enum pl_decision add_takes(struct pl_items *s, const struct table *t)
{
    const struct pl_history *h = s->c->history;
    for (uint32_t k = 0; k < h->count; k++) {
        const struct pl_operation *o = &h->operation[k];
        expect(t, h, k);
        if (o->code != PL_TAKE)
            continue;
        if (pl_pending(o)) {
            s->pending[s->pendings++] = k;
            continue;
        }
        if (o->result == PL_ANY)
            return PL_NEITHER;
        if (o->result == PL_NIL) {
            s->empty[s->empties++] = k;
            continue;
        }
        uint32_t slot = find(t, o->result)->item;
        if (!slot || s->item[slot - 1].take != PL_NONE) {
            *s->suspect = o->ret + 1;
            return PL_BAD; /* never put, or taken twice */
        }
        pl_items_set_take(s, &s->item[slot - 1], k);
    }
    return PL_GOOD;
}

/* A pending put that nobody took from need not have happened, and then it disturbs nobody. */
static void drop_pending_puts(struct pl_items *s)
{
    uint32_t kept = 0;
    for (uint32_t i = 0; i < s->count; i++)
        if (s->item[i].b != s->after || s->item[i].take != PL_NONE)
            s->item[kept++] = s->item[i];
    s->count = kept;
}

/* I1; false: taken before it was put. */
static bool tighten(struct pl_item *i)
{
    if (i->d < i->a)
        return false;
    i->b = i->b < i->d ? i->b : i->d;
    i->c = i->c > i->a ? i->c : i->a;
    return true;
}

/* A take that comes after all events is a pending one, and need not have happened. */
static void sort_points(const struct pl_items *s, const struct pl_points *p, struct pl_witness *out)
{
    uint32_t *start = pl_zeroed(s->gaps + 1, sizeof *start);
    for (uint32_t i = 0; i < p->count; i++)
        start[p->gap[i] + 1]++;
    for (uint32_t g = 0; g < s->gaps; g++)
        start[g + 1] += start[g];
    out->count = start[s->never_call];
    for (uint32_t i = 0; i < p->count; i++) {
        if (p->gap[i] >= s->never_call)
            continue;
        uint32_t place = start[p->gap[i]]++;
        out->order[place] = p->operation[i];
        out->answer[place] = p->answer[i];
    }
    free(start);
}

/* One try, with the takes as they are now in the items. */
enum pl_decision pl_items_attempt(const struct pl_items *s, pl_item_decider *decider,
                                  struct pl_witness *out)
{
    struct pl_items copy = *s;
    struct pl_points points = {0};
    enum pl_decision decision = PL_GOOD;
    uint32_t most = 2 * s->count + s->empties;
    copy.item = pl_zeroed(s->count, sizeof *copy.item);
    points.operation = pl_zeroed(most, sizeof *points.operation);
    points.gap = pl_zeroed(most, sizeof *points.gap);
    points.answer = pl_zeroed(most, sizeof *points.answer);
    memcpy(copy.item, s->item, s->count * sizeof *copy.item);
    for (uint32_t i = 0; i < s->count; i++)
        if (!tighten(&copy.item[i])) {
            *s->suspect = copy.item[i].d;
            decision = PL_BAD;
        }
    if (decision == PL_GOOD)
        decision = decider(&copy, &points);
    if (decision == PL_GOOD && out)
        sort_points(s, &points, out);
    free(copy.item);
    free(points.operation);
    free(points.gap);
    free(points.answer);
    return decision;
}

/* Puts of one value that wait for their takes, from first to last; links of items, + 1. */
struct waiting {
    uint32_t *first, *last; /* by the value's first item */
    uint32_t *next, *before;
};

static void wait_for_take(struct waiting *w, uint32_t value, uint32_t item)
{
    w->before[item] = w->last[value];
    *(w->last[value] ? &w->next[w->last[value] - 1] : &w->first[value]) = item + 1;
    w->last[value] = item + 1;
}

/* The one that waits longest, or shortest; 0: none. */
static uint32_t take_waiting(struct waiting *w, uint32_t value, bool longest)
{
    uint32_t i = longest ? w->first[value] : w->last[value];
    if (!i)
        return 0;
    if (longest) {
        w->first[value] = w->next[i - 1];
        *(w->first[value] ? &w->before[w->first[value] - 1] : &w->last[value]) = 0;
    } else {
        w->last[value] = w->before[i - 1];
        *(w->last[value] ? &w->next[w->last[value] - 1] : &w->first[value]) = 0;
    }
    return i;
}

/* Takes get the puts of their value in turn; see pl_items_decide. BAD: more takes than puts. */
static enum pl_decision match(struct pl_items *s, const struct table *t, const uint32_t *item_of,
                              struct waiting *w)
{
    const struct pl_history *h = s->c->history;
    for (uint32_t e = 0; e < h->events; e++) {
        uint32_t k = h->event[e] / 2;
        const struct pl_operation *o = &h->operation[k];
        bool is_return = h->event[e] % 2;
        if (o->code == PL_PUT && !is_return) {
            wait_for_take(w, find(t, o->argument[0])->item - 1, item_of[k]);
        } else if (o->code == PL_TAKE && is_return) {
            if (o->result == PL_ANY)
                return PL_NEITHER;
            if (o->result == PL_NIL) {
                s->empty[s->empties++] = k;
                continue;
            }
            uint32_t value = find(t, o->result)->item, i = 0;
            if (value)
                i = take_waiting(w, value - 1, s->c->spec != &pl_spec_lifo);
            if (!i)
                return PL_BAD;
            pl_items_set_take(s, &s->item[i - 1], k);
        } else if (o->code == PL_TAKE && pl_pending(o)) {
            s->pending[s->pendings++] = k;
        }
    }
    return PL_GOOD;
}

static int by_number(const void *a, const void *b)
{
    uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;
    return (x > y) - (x < y);
}

/* Values that repeat: one way to tell equal ones apart. If it works the history is good. */
static enum pl_decision decide_repeated(struct pl_items *s, const struct table *t,
                                        pl_item_decider *decider, struct pl_witness *out)
{
    uint32_t n = s->c->history->count;
    uint32_t *links = pl_zeroed(5 * (size_t)n, sizeof *links), *item_of = links + 4 * (size_t)n;
    struct waiting w = {links, links + n, links + 2 * (size_t)n, links + 3 * (size_t)n};
    for (uint32_t i = 0; i < s->count; i++)
        item_of[s->item[i].put] = i;
    enum pl_decision decision = match(s, t, item_of, &w);
    free(links);
    if (decision != PL_GOOD)
        return decision;
    qsort(s->empty, s->empties, sizeof *s->empty, by_number); /* by call, as operations are */
    drop_pending_puts(s);
    return pl_items_attempt(s, decider, out) == PL_GOOD ? PL_GOOD : PL_NEITHER;
}

/*
 * Distinct values are decided. Where values repeat, equal ones are told apart by the order of
 * their puts' calls and their takes' returns, first in first out (last for a stack): a guess,
 * which can prove a history good but not bad, except that no value is taken more often than
 * it was put.
 */
enum pl_decision pl_items_decide(const struct pl_case *c, pl_item_decider *decider,
                                 struct pl_witness *out)
{
    const struct pl_history *h = c->history;
    uint32_t suspect = 0, puts = 0, *by_value = NULL;
    struct pl_items s = {
        .c = c, .after = h->events + 1, .by_value = &by_value, .suspect = &suspect};
    struct table t;
    s.never_call = s.after + 1;
    s.never_return = s.after + 2;
    s.gaps = s.after + 3;
    for (uint32_t k = 0; k < h->count; k++)
        puts += h->operation[k].code == PL_PUT;
    table_init(&t, puts);
    s.item = pl_zeroed(puts, sizeof *s.item);
    s.empty = pl_zeroed(h->count, sizeof *s.empty);
    s.pending = pl_zeroed(h->count, sizeof *s.pending);
    bool distinct = add_puts(&s, &t);
    enum pl_decision decision =
        distinct ? add_takes(&s, &t) : decide_repeated(&s, &t, decider, out);
    free(t.slot);
    if (distinct && decision == PL_GOOD) {
        drop_pending_puts(&s);
        decision = pl_items_settle(&s, decider, out);
    }
    free(s.item);
    free(s.empty);
    free(s.pending);
    free(by_value);
    out->suspect = suspect < h->events ? suspect : h->events;
    return decision;
}

uint32_t *pl_items_free_gaps(const struct pl_items *s)
{
    uint32_t *free_gap = pl_zeroed(s->gaps, sizeof *free_gap);
    for (uint32_t i = 0; i < s->count; i++)
        if (s->item[i].b < s->item[i].c) {
            free_gap[s->item[i].b]++;
            free_gap[s->item[i].c]--;
        }
    for (uint32_t g = 1; g < s->gaps; g++)
        free_gap[g] += free_gap[g - 1];
    uint32_t next = s->gaps;
    for (uint32_t g = s->gaps; g-- > 0;) {
        if (!free_gap[g])
            next = g;
        free_gap[g] = next;
    }
    return free_gap;
}
