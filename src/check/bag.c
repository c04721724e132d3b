/*
 * Bags. With distinct values: a value covers the gaps in which it is inside for sure
 * (items.h), and an empty take needs a gap that nothing covers. With repeated values and no
 * empty takes: puts as early, takes as late as possible, counting each value; linear.
 */
#include <stdlib.h>

#include "check/items.h"

static enum pl_decision decide(const struct pl_items *s, struct pl_points *points)
{
    const struct pl_operation *o = s->c->history->operation;
    uint32_t *free_gap = s->empties ? pl_items_free_gaps(s) : NULL;
    bool good = true;
    for (uint32_t k = 0; k < s->count; k++) {
        const struct pl_item *i = &s->item[k];
        if (i->c < i->b)
            pl_points_add(points, i->put, PL_NIL, i->c);
        if (i->take != PL_NONE)
            pl_points_add(points, i->take, o[i->put].argument[0], i->c);
    }
    for (uint32_t e = 0; e < s->empties && good; e++) {
        uint32_t gap = free_gap[o[s->empty[e]].call + 1];
        good = gap < o[s->empty[e]].ret + 1;
        if (good)
            pl_points_add(points, s->empty[e], PL_NIL, gap);
        else
            *s->suspect = o[s->empty[e]].ret + 1;
    }
    for (uint32_t k = 0; k < s->count; k++)
        if (s->item[k].b < s->item[k].c)
            pl_points_add(points, s->item[k].put, PL_NIL, s->item[k].b - 1);
    free(free_gap);
    return good ? PL_GOOD : PL_BAD;
}

struct stock {
    pl_value value;
    uint32_t count;
    bool used;
};

static struct stock *find(struct stock *stock, uint32_t mask, pl_value v)
{
    uint64_t h = (uint64_t)v * 0x9e3779b97f4a7c15u;
    uint32_t i = (uint32_t)(h >> 40) & mask;
    while (stock[i].used && stock[i].value != v)
        i = (i + 1) & mask;
    stock[i].used = true;
    stock[i].value = v;
    return &stock[i];
}

static enum pl_decision count(const struct pl_case *c, struct pl_witness *out)
{
    const struct pl_history *h = c->history;
    for (uint32_t i = 0; i < h->count; i++)
        if (h->operation[i].code == PL_TAKE && !pl_pending(&h->operation[i]) &&
            (h->operation[i].result == PL_NIL || h->operation[i].result == PL_ANY))
            return PL_NEITHER;
    uint32_t mask = 15;
    while (mask < 2 * h->count)
        mask = 2 * mask + 1;
    struct stock *stock = calloc(mask + 1, sizeof *stock);
    PL_ASSERT(stock);
    enum pl_decision decision = PL_GOOD;
    out->count = 0;
    for (uint32_t t = 0; t < h->events && decision == PL_GOOD; t++) {
        uint32_t i = h->event[t] / 2;
        const struct pl_operation *o = &h->operation[i];
        bool is_return = h->event[t] % 2;
        if (o->code == PL_PUT && !is_return) {
            find(stock, mask, o->argument[0])->count++;
            pl_witness_add(out, i, PL_NIL);
        } else if (o->code == PL_TAKE && is_return) {
            struct stock *s = find(stock, mask, o->result);
            if (!s->count)
                decision = PL_BAD;
            else
                s->count--;
            pl_witness_add(out, i, o->result);
        }
    }
    free(stock);
    return decision;
}

enum pl_decision pl_decide_bag(const struct pl_case *c, struct pl_witness *out)
{
    enum pl_decision decision = pl_items_decide(c, decide, out);
    return decision == PL_NEITHER ? count(c, out) : decision;
}
