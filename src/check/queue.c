/*
 * Queues with distinct values, in n log t for n operations of t threads.
 *
 * The values must be put in the order in which they are taken. Value v comes before w if
 * the put of v returned before that of w was called, or likewise their takes; tightened
 * intervals (items.h) make every other real-time order follow. Both are interval orders, so
 * their union has a cycle only if two values are ordered both ways; then the history is bad.
 * Otherwise sorting topologically gives the order, and each operation takes effect as soon
 * as its predecessors have.
 *
 * An empty take needs a gap in its interval that no value covers (items.h, I2). Every such
 * gap works: each value can be taken before it or put after it, and no order constraint
 * leads from the second kind to the first; so the values whose take is called before the
 * gap come first. The sort prefers early calls of takes and gives just that.
 */
#include <stdlib.h>

#include "base/memory.h"
#include "check/items.h"

struct sort {
    const struct pl_items *s;
    bool *sorted;
    uint32_t *by_b, *by_d; /* at a time: the item whose b or d it is, + 1 */
    uint32_t min_b, min_d; /* least b and d of items not yet sorted */
    uint32_t *heap;        /* candidates by c */
    uint32_t heaped;
};

static void sink(struct sort *q, uint32_t place)
{
    const struct pl_item *item = q->s->item;
    uint32_t moved = q->heap[place];
    for (;;) {
        uint32_t child = 2 * place + 1;
        if (child >= q->heaped)
            break;
        if (child + 1 < q->heaped && item[q->heap[child + 1]].c < item[q->heap[child]].c)
            child++;
        if (item[q->heap[child]].c >= item[moved].c)
            break;
        q->heap[place] = q->heap[child];
        place = child;
    }
    q->heap[place] = moved;
}

static void add_candidate(struct sort *q, uint32_t i)
{
    const struct pl_item *item = q->s->item;
    uint32_t place = q->heaped++;
    while (place && item[q->heap[(place - 1) / 2]].c > item[i].c) {
        q->heap[place] = q->heap[(place - 1) / 2];
        place = (place - 1) / 2;
    }
    q->heap[place] = i;
}

static uint32_t take_candidate(struct sort *q)
{
    uint32_t i = q->heap[0];
    q->heap[0] = q->heap[--q->heaped];
    if (q->heaped)
        sink(q, 0);
    return i;
}

static void advance(struct sort *q)
{
    uint32_t after = q->s->after;
    while (q->min_b < after && (!q->by_b[q->min_b] || q->sorted[q->by_b[q->min_b] - 1]))
        q->min_b++;
    while (q->min_d < after && (!q->by_d[q->min_d] || q->sorted[q->by_d[q->min_d] - 1]))
        q->min_d++;
}

/* Puts the items into order; false: there is none. */
static bool sort(struct sort *q, uint32_t *order)
{
    const struct pl_items *s = q->s;
    uint32_t next = 0; /* items are in order of a, as their puts are in order of call */
    for (uint32_t i = 0; i < s->count; i++) {
        if (s->item[i].b < s->after)
            q->by_b[s->item[i].b] = i + 1;
        if (s->item[i].d < s->after)
            q->by_d[s->item[i].d] = i + 1;
    }
    for (uint32_t done = 0; done < s->count; done++) {
        advance(q);
        while (next < s->count && s->item[next].a < q->min_b)
            add_candidate(q, next++);
        uint32_t min_d = q->min_d < s->after ? q->min_d : s->never_return;
        if (!q->heaped || s->item[q->heap[0]].c > min_d) {
            *s->suspect = min_d < s->after ? min_d : q->min_b;
            return false;
        }
        uint32_t i = take_candidate(q);
        q->sorted[i] = true;
        order[done] = i;
    }
    return true;
}

/* The gap of each empty take; false: one has none. */
static bool place_empties(const struct pl_items *s, uint32_t *gap)
{
    bool good = true;
    uint32_t *free_gap = s->empties ? pl_items_free_gaps(s) : NULL;
    for (uint32_t e = 0; e < s->empties && good; e++) {
        const struct pl_operation *o = &s->c->history->operation[s->empty[e]];
        gap[e] = free_gap[o->call + 1];
        good = gap[e] < o->ret + 1;
        if (!good)
            *s->suspect = o->ret + 1;
    }
    free(free_gap);
    return good;
}

/* Where puts and takes take effect. Empty takes are in order of call, so their gaps rise. */
static void place(const struct pl_items *s, const uint32_t *order, const uint32_t *empty_gap,
                  uint32_t *put_gap, uint32_t *take_gap)
{
    uint32_t put = 0, take = 0, e = 0;
    for (uint32_t k = 0; k < s->count; k++) {
        const struct pl_item *i = &s->item[order[k]];
        for (; e < s->empties && empty_gap[e] < i->c; e++)
            put = put > empty_gap[e] ? put : empty_gap[e];
        put_gap[k] = put = put > i->a ? put : i->a;
        take_gap[k] = take = take > i->c ? take : i->c;
    }
}

/* Of one gap: puts of values taken in it, takes, empty takes, other puts. */
static void emit(const struct pl_items *s, const uint32_t *order, const uint32_t *empty_gap,
                 struct pl_points *points)
{
    const struct pl_operation *o = s->c->history->operation;
    uint32_t *put = pl_zeroed(2 * (size_t)s->count, sizeof *put);
    uint32_t *take = put + s->count;
    place(s, order, empty_gap, put, take);
    for (uint32_t k = 0; k < s->count; k++)
        if (put[k] == take[k])
            pl_points_add(points, s->item[order[k]].put, PL_NIL, put[k]);
    for (uint32_t k = 0; k < s->count; k++)
        if (s->item[order[k]].take != PL_NONE)
            pl_points_add(points, s->item[order[k]].take, o[s->item[order[k]].put].argument[0],
                          take[k]);
    for (uint32_t e = 0; e < s->empties; e++)
        pl_points_add(points, s->empty[e], PL_NIL, empty_gap[e]);
    for (uint32_t k = 0; k < s->count; k++)
        if (put[k] != take[k])
            pl_points_add(points, s->item[order[k]].put, PL_NIL, put[k]);
    free(put);
}

static enum pl_decision decide(const struct pl_items *s, struct pl_points *points)
{
    struct sort q = {.s = s, .min_b = 1, .min_d = 1};
    uint32_t *order = pl_zeroed(2 * (size_t)s->count + s->empties, sizeof *order);
    q.sorted = pl_zeroed(s->count, sizeof *q.sorted);
    q.by_b = pl_zeroed(2 * (size_t)s->gaps, sizeof *q.by_b);
    uint32_t *empty_gap = order + s->count;
    q.heap = empty_gap + s->empties;
    q.by_d = q.by_b + s->gaps;
    bool good = place_empties(s, empty_gap) && sort(&q, order);
    free(q.sorted);
    free(q.by_b);
    if (good)
        emit(s, order, empty_gap, points);
    free(order);
    return good ? PL_GOOD : PL_BAD;
}

enum pl_decision pl_decide_queue(const struct pl_case *c, struct pl_witness *out)
{
    return pl_items_decide(c, decide, out);
}
