/*
 * Priority queues with distinct values, in n log n (the sort by value).
 *
 * Whether a value can be taken in a gap depends on smaller values only: none may be inside.
 * So go from the least value up, and take each in the first gap of its take that no smaller
 * one covers. It then covers the gaps from its put, made as late as possible, to its take;
 * taking it later would cover more, so the first gap is the best choice for all that follow.
 * An empty take needs a gap that nothing covers in the end.
 */
#include <stdlib.h>

#include "base/memory.h"
#include "check/items.h"

/* The first gap at or after g that is free: links are shortened on the way. */
static uint32_t free_gap(uint32_t *next, uint32_t g)
{
    while (next[g] != g) {
        next[g] = next[next[g]];
        g = next[g];
    }
    return g;
}

static void cover(uint32_t *next, uint32_t from, uint32_t to)
{
    for (uint32_t g = free_gap(next, from); g < to; g = free_gap(next, g))
        next[g] = g + 1;
}

static pl_value value_of(const struct pl_items *s, uint32_t i)
{
    return s->c->history->operation[s->item[i].put].argument[0];
}

/* Least significant byte first; bytes that all values share are skipped. */
const uint32_t *pl_items_by_value(const struct pl_items *s)
{
    bool greatest_first = s->c->spec == &pl_spec_max_pqueue;
    uint32_t *order = *s->by_value;
    if (order)
        return order;
    struct key {
        uint64_t value;
        uint32_t item;
    } *from = pl_zeroed(s->count, sizeof *from), *to = pl_zeroed(s->count, sizeof *to), *swap;
    order = pl_zeroed(s->count, sizeof *order);
    for (uint32_t i = 0; i < s->count; i++) {
        uint64_t v = (uint64_t)value_of(s, i) ^ (uint64_t)1 << 63;
        from[i] = (struct key){greatest_first ? ~v : v, i};
    }
    for (unsigned shift = 0; shift < 64; shift += 8) {
        uint32_t start[257] = {0}, most = 0;
        for (uint32_t i = 0; i < s->count; i++)
            start[(from[i].value >> shift & 255) + 1]++;
        for (unsigned d = 0; d < 256; d++) {
            most = start[d + 1] > most ? start[d + 1] : most;
            start[d + 1] += start[d];
        }
        if (most == s->count)
            continue;
        for (uint32_t i = 0; i < s->count; i++)
            to[start[from[i].value >> shift & 255]++] = from[i];
        swap = from;
        from = to;
        to = swap;
    }
    for (uint32_t i = 0; i < s->count; i++)
        order[i] = from[i].item;
    free(from);
    free(to);
    *s->by_value = order;
    return order;
}

/* Of one gap: takes from the first value on (the fleeting ones with their puts), empty takes,
   puts. */
static bool place(const struct pl_items *s, const uint32_t *order, uint32_t *next,
                  struct pl_points *points)
{
    const struct pl_operation *o = s->c->history->operation;
    for (uint32_t k = 0; k < s->count; k++) {
        const struct pl_item *i = &s->item[order[k]];
        uint32_t gap = i->take == PL_NONE ? i->c : free_gap(next, i->c);
        if (gap >= i->d) {
            *s->suspect = i->d;
            return false;
        }
        if (gap < i->b)
            pl_points_add(points, i->put, PL_NIL, gap);
        if (i->take != PL_NONE)
            pl_points_add(points, i->take, o[i->put].argument[0], gap);
        if (gap >= i->b)
            cover(next, i->b, gap);
    }
    for (uint32_t e = 0; e < s->empties; e++) {
        uint32_t gap = free_gap(next, o[s->empty[e]].call + 1);
        if (gap >= o[s->empty[e]].ret + 1) {
            *s->suspect = o[s->empty[e]].ret + 1;
            return false;
        }
        pl_points_add(points, s->empty[e], PL_NIL, gap);
    }
    return true;
}

static enum pl_decision decide(const struct pl_items *s, struct pl_points *points)
{
    uint32_t *next = pl_zeroed(s->gaps, sizeof *next);
    const uint32_t *order = pl_items_by_value(s);
    for (uint32_t g = 0; g <= s->gaps; g++)
        next[g] = g;
    bool good = place(s, order, next, points);
    if (good) {
        /* Which were put with their take: those points say so. */
        bool *placed = pl_zeroed(s->c->history->count, sizeof *placed);
        for (uint32_t p = 0; p < points->count; p++)
            placed[points->operation[p]] = true;
        for (uint32_t i = 0; i < s->count; i++)
            if (!placed[s->item[i].put])
                pl_points_add(points, s->item[i].put, PL_NIL, s->item[i].b - 1);
        free(placed);
    }
    free(next);
    return good ? PL_GOOD : PL_BAD;
}

enum pl_decision pl_decide_pqueue(const struct pl_case *c, struct pl_witness *out)
{
    return pl_items_decide(c, decide, out);
}
