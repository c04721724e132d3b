/*
 * Stacks with distinct values, in n log n.
 *
 * Fleeting values (items.h, I2) are pushed and popped in one go and disturb nobody. For the
 * others consider a stretch of time in which at each moment some value is inside for sure.
 * The stack is never empty there, so one value lies at the bottom all the time: it is pushed
 * before the stretch begins and popped after it ends. If no value can, the history is bad.
 * If several can, any will do: two of them can change places. Take it away; what is left
 * falls into shorter stretches, which are decided each by itself. Outside of stretches the
 * stack can be empty, and any such gap will do for an empty pop.
 *
 * Stretches live on ranks: the b and c of solid values, sorted. Two trees:
 *   cover  over ranks: how many values are inside for sure; finds where a stretch ends
 *   early  over values sorted by b: the least a; finds values pushed before a stretch
 */
#include <stdlib.h>

#include "base/memory.h"
#include "check/items.h"

struct tree {
    int32_t *least, *added; /* of a node: the least of its leaves, what all of them get */
    uint32_t leaves;        /* a power of two */
};

struct stack {
    const struct pl_items *s;
    uint32_t *solid; /* values that are not fleeting, by b */
    uint32_t solids;
    uint32_t *time;  /* of a rank */
    uint32_t *first; /* of a rank: how many solid values have b at a lower rank */
    uint32_t ranks;
    uint32_t *from, *to; /* ranks of b and c of the solid values */
    uint32_t *early;     /* tree: node n has children 2n and 2n + 1 */
    uint32_t early_leaves;
    struct tree cover;
};

/* A stretch: ranks from … to-1. */
struct stretch {
    uint32_t from, to;
};

/* --- cover ---------------------------------------------------------------------- */

static void pull(struct tree *t, uint32_t n)
{
    int32_t left = t->least[2 * n], right = t->least[2 * n + 1];
    t->least[n] = (left < right ? left : right) + t->added[n];
}

static void cover_init(struct tree *t, const int32_t *value, uint32_t count)
{
    t->leaves = 1;
    while (t->leaves < count)
        t->leaves *= 2;
    t->least = pl_zeroed(2 * (size_t)t->leaves, sizeof *t->least);
    t->added = pl_zeroed(2 * (size_t)t->leaves, sizeof *t->added);
    for (uint32_t i = 0; i < count; i++)
        t->least[t->leaves + i] = value[i];
    for (uint32_t n = t->leaves; n-- > 1;)
        pull(t, n);
}

static void cover_less(struct tree *t, uint32_t from, uint32_t to)
{
    uint32_t left = from + t->leaves, right = to + t->leaves;
    for (uint32_t l = left, r = right; l < r; l /= 2, r /= 2) {
        if (l & 1) {
            t->least[l]--;
            t->added[l]--;
            l++;
        }
        if (r & 1) {
            r--;
            t->least[r]--;
            t->added[r]--;
        }
    }
    for (uint32_t n = left / 2; n; n /= 2)
        pull(t, n);
    for (uint32_t n = (right - 1) / 2; n; n /= 2)
        pull(t, n);
}

/* The first rank at or after `from` that nothing covers. There is one: the last. */
static uint32_t cover_end(const struct tree *t, uint32_t from)
{
    uint32_t n = from + t->leaves;
    int32_t above = 0; /* what the ancestors of n add */
    for (uint32_t up = n / 2; up; up /= 2)
        above += t->added[up];
    while (t->least[n] + above > 0) { /* nothing in here: the next subtree to the right */
        while (n & 1) {
            n /= 2;
            above -= t->added[n];
        }
        n++;
        PL_ASSERT(n & (n - 1)); /* a power of two: past the last leaf */
    }
    while (n < t->leaves) {
        above += t->added[n];
        n = t->least[2 * n] + above == 0 ? 2 * n : 2 * n + 1;
    }
    return n - t->leaves;
}

/* --- early ---------------------------------------------------------------------- */

static void early_init(struct stack *k)
{
    k->early_leaves = 1;
    while (k->early_leaves < k->solids)
        k->early_leaves *= 2;
    k->early = pl_zeroed(2 * (size_t)k->early_leaves, sizeof *k->early);
    for (uint32_t i = 0; i < k->early_leaves; i++)
        k->early[k->early_leaves + i] = i < k->solids ? k->s->item[k->solid[i]].a : PL_NONE;
    for (uint32_t n = k->early_leaves; n-- > 1;)
        k->early[n] = k->early[2 * n] < k->early[2 * n + 1] ? k->early[2 * n] : k->early[2 * n + 1];
}

static void early_remove(struct stack *k, uint32_t i)
{
    uint32_t n = i + k->early_leaves;
    k->early[n] = PL_NONE;
    for (n /= 2; n; n /= 2)
        k->early[n] = k->early[2 * n] < k->early[2 * n + 1] ? k->early[2 * n] : k->early[2 * n + 1];
}

/* The first value at or after `from` with a < limit; PL_NONE: none. */
static uint32_t early_find(const struct stack *k, uint32_t from, uint32_t limit)
{
    uint32_t n = from + k->early_leaves;
    if (from >= k->solids)
        return PL_NONE;
    while (k->early[n] >= limit) {
        while (n & 1)
            n /= 2;
        if (!n)
            return PL_NONE;
        n++;
    }
    while (n < k->early_leaves)
        n = k->early[2 * n] < limit ? 2 * n : 2 * n + 1;
    return n - k->early_leaves;
}

/* --- the decision --------------------------------------------------------------- */

static void make_ranks(struct stack *k)
{
    const struct pl_items *s = k->s;
    uint32_t *rank = pl_zeroed(s->gaps, sizeof *rank), *by_b = pl_zeroed(s->gaps, sizeof *by_b);
    for (uint32_t i = 0; i < s->count; i++)
        if (s->item[i].b < s->item[i].c) {
            rank[s->item[i].b] = rank[s->item[i].c] = 1;
            by_b[s->item[i].b] = i + 1; /* b is an event here: of this item alone */
            k->solids++;
        }
    for (uint32_t t = 0; t < s->gaps; t++)
        k->ranks += rank[t];
    k->solid = pl_zeroed(k->solids, sizeof *k->solid);
    k->from = pl_zeroed(k->solids, sizeof *k->from);
    k->to = pl_zeroed(k->solids, sizeof *k->to);
    k->time = pl_zeroed(k->ranks, sizeof *k->time);
    k->first = pl_zeroed(k->ranks, sizeof *k->first);
    uint32_t r = 0, i = 0;
    for (uint32_t t = 0; t < s->gaps; t++)
        if (rank[t]) {
            k->time[r] = t;
            k->first[r] = i;
            if (by_b[t]) {
                k->from[i] = r;
                k->solid[i++] = by_b[t] - 1;
            }
            rank[t] = r++;
        }
    for (i = 0; i < k->solids; i++)
        k->to[i] = rank[s->item[k->solid[i]].c];
    free(rank);
    free(by_b);
    int32_t *value = pl_zeroed(k->ranks + 1, sizeof *value);
    for (i = 0; i < k->solids; i++) {
        value[k->from[i]]++;
        value[k->to[i]]--;
    }
    for (r = 1; r < k->ranks; r++)
        value[r] += value[r - 1];
    cover_init(&k->cover, value, k->ranks + 1);
    free(value);
    early_init(k);
}

/* The value at the bottom of a stretch; PL_NONE: there is none. Of those pushed before it the last
   one that is popped is suspect then: what is inside at that time was pushed later. */
static uint32_t bottom(const struct stack *k, struct stretch w)
{
    *k->s->suspect = k->time[w.from];
    uint32_t end = w.to < k->ranks ? k->first[w.to] : k->solids;
    for (uint32_t i = k->first[w.from];; i++) {
        i = early_find(k, i, k->time[w.from]);
        if (i == PL_NONE || i >= end)
            return PL_NONE;
        uint32_t popped = k->s->item[k->solid[i]].d;
        if (popped > k->time[w.to])
            return i;
        if (popped > *k->s->suspect)
            *k->s->suspect = popped;
    }
}

/* Adds the stretches between two ranks. */
static uint32_t divide(const struct stack *k, struct stretch w, struct stretch *todo,
                       uint32_t count)
{
    uint32_t i = k->first[w.from];
    while ((i = early_find(k, i, PL_NONE)) != PL_NONE && k->from[i] < w.to) {
        todo[count].from = k->from[i];
        todo[count].to = cover_end(&k->cover, k->from[i]);
        i = k->first[todo[count++].to];
        if (todo[count - 1].to + 1 >= k->ranks)
            break;
    }
    return count;
}

/* order: solid values from the outside in; where they are pushed and popped. */
static bool nest(struct stack *k, uint32_t *order, uint32_t *push, uint32_t *pop)
{
    struct stretch *todo = pl_zeroed(k->solids, sizeof *todo);
    uint32_t count = 0, done = 0;
    bool good = true;
    if (k->solids)
        count = divide(k, (struct stretch){0, k->ranks - 1}, todo, 0);
    while (count && good) {
        struct stretch w = todo[--count];
        uint32_t i = bottom(k, w);
        good = i != PL_NONE;
        if (!good)
            break;
        order[done] = k->solid[i];
        push[done] = k->time[w.from] - 1;
        pop[done++] = k->time[w.to];
        cover_less(&k->cover, k->from[i], k->to[i]);
        early_remove(k, i);
        count = divide(k, w, todo, count);
    }
    free(todo);
    return good;
}

/* Of one gap: pops from the inside out, fleeting values, empty pops, pushes. */
static void emit(const struct pl_items *s, const uint32_t *order, uint32_t solids,
                 const uint32_t *push, const uint32_t *pop, struct pl_points *points)
{
    const struct pl_operation *o = s->c->history->operation;
    for (uint32_t k = solids; k-- > 0;) {
        const struct pl_item *i = &s->item[order[k]];
        if (i->take != PL_NONE)
            pl_points_add(points, i->take, o[i->put].argument[0], pop[k]);
    }
    for (uint32_t k = 0; k < s->count; k++) {
        const struct pl_item *i = &s->item[k];
        if (i->b < i->c)
            continue;
        pl_points_add(points, i->put, PL_NIL, i->c);
        pl_points_add(points, i->take, o[i->put].argument[0], i->c);
    }
    uint32_t *free_gap = s->empties ? pl_items_free_gaps(s) : NULL;
    for (uint32_t e = 0; e < s->empties; e++)
        pl_points_add(points, s->empty[e], PL_NIL, free_gap[o[s->empty[e]].call + 1]);
    free(free_gap);
    for (uint32_t k = 0; k < solids; k++)
        pl_points_add(points, s->item[order[k]].put, PL_NIL, push[k]);
}

static bool empties_fit(const struct pl_items *s)
{
    bool good = true;
    uint32_t *free_gap = s->empties ? pl_items_free_gaps(s) : NULL;
    for (uint32_t e = 0; e < s->empties && good; e++) {
        const struct pl_operation *o = &s->c->history->operation[s->empty[e]];
        good = free_gap[o->call + 1] < o->ret + 1;
        if (!good)
            *s->suspect = o->ret + 1;
    }
    free(free_gap);
    return good;
}

static enum pl_decision decide(const struct pl_items *s, struct pl_points *points)
{
    struct stack k = {.s = s};
    if (!empties_fit(s))
        return PL_BAD;
    make_ranks(&k);
    uint32_t *order = pl_zeroed(3 * (size_t)k.solids, sizeof *order);
    uint32_t *push = order + k.solids, *pop = push + k.solids;
    bool good = nest(&k, order, push, pop);
    free(k.solid);
    free(k.from);
    free(k.to);
    free(k.time);
    free(k.first);
    free(k.early);
    free(k.cover.least);
    free(k.cover.added);
    if (good)
        emit(s, order, k.solids, push, pop, points);
    free(order);
    return good ? PL_GOOD : PL_BAD;
}

enum pl_decision pl_decide_stack(const struct pl_case *c, struct pl_witness *out)
{
    return pl_items_decide(c, decide, out);
}
