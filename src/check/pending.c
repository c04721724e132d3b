/*
 * What pending takes of a container may have done. If the history is good without them it is
 * good. If it is bad even when every value that nobody took may have been taken from the first
 * pending call on, it is bad. In between there is a rule of deadlines, which is exact for
 * queues without empty takes and otherwise proves some histories bad and guesses well for the
 * others; then further guesses; then takers.c finds out who took what, by trying. What is still
 * open is left to the search.
 */
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "check/items.h"

enum { MOST_HINTED = 1 << 20, MOST_LEFT_OUT = 64 };

/* Attempts to find out who took what, and values in all of them. */
enum { LEAST_ATTEMPTS = 8, MOST_ATTEMPTS = 1 << 14, WORK = 1 << 22 };

static int by_put_return(const void *a, const void *b)
{
    const struct pl_item *x = *(struct pl_item *const *)a, *y = *(struct pl_item *const *)b;
    return (x->b > y->b) - (x->b < y->b);
}

static void forget(struct pl_items *s, struct pl_item **untaken, uint32_t left)
{
    for (uint32_t i = 0; i < left; i++)
        pl_items_set_take(s, untaken[i], PL_NONE);
}

/* Gives the pending takes the values the hints name, but for one (PL_NONE: for all). */
static enum pl_decision try_hints(struct pl_items *s, struct pl_item **untaken, uint32_t left,
                                  pl_item_decider *decider, uint32_t leave, struct pl_witness *out)
{
    const struct pl_operation *o = s->c->history->operation;
    bool used = false;
    for (uint32_t k = 0; k < s->pendings; k++) {
        pl_value hint = s->c->hint[s->pending[k]];
        for (uint32_t i = 0; i < left && k != leave; i++)
            if (untaken[i]->take == PL_NONE && o[untaken[i]->put].argument[0] == hint) {
                pl_items_set_take(s, untaken[i], s->pending[k]);
                used = true;
            }
    }
    enum pl_decision decision = used ? pl_items_attempt(s, decider, out) : PL_NEITHER;
    forget(s, untaken, left);
    return decision;
}

/* The values that were put first are gone; then half of them, and so on. */
static enum pl_decision try_oldest(struct pl_items *s, struct pl_item **untaken, uint32_t left,
                                   pl_item_decider *decider, struct pl_witness *out)
{
    enum pl_decision decision = PL_NEITHER;
    qsort(untaken, left, sizeof(struct pl_item *), by_put_return);
    uint32_t most = left < s->pendings ? left : s->pendings;
    for (uint32_t n = most; n > 0 && decision != PL_GOOD; n = n / 2) {
        for (uint32_t i = 0; i < n; i++)
            pl_items_set_take(s, untaken[i], s->pending[i]);
        decision = pl_items_attempt(s, decider, out);
        forget(s, untaken, left);
    }
    return decision;
}

/* The least d of items entered with a c of at least some time: a Fenwick tree over times. */
struct least {
    uint32_t *d;
    uint32_t size;
};

static void enter(struct least *l, uint32_t c, uint32_t d)
{
    for (uint32_t i = l->size - c; i <= l->size; i += i & -i)
        l->d[i] = l->d[i] < d ? l->d[i] : d;
}

static uint32_t least_from(const struct least *l, uint32_t c)
{
    uint32_t d = PL_NONE;
    for (uint32_t i = l->size - c; i; i -= i & -i)
        d = l->d[i] < d ? l->d[i] : d;
    return d;
}

static void lower(uint32_t *a, uint32_t b)
{
    *a = *a < b ? *a : b;
}

/* Queue: a value put after it returned is taken. before[] is of items. */
static void queue_deadlines(const struct pl_items *s, uint32_t *before)
{
    uint32_t *first =
        pl_zeroed(s->gaps, sizeof *first); /* end of a take of what is put from t on */
    memset(first, 0xff, s->gaps * sizeof *first);
    for (uint32_t i = 0; i < s->count; i++)
        if (s->item[i].take != PL_NONE)
            first[s->item[i].a] = s->item[i].d;
    for (uint32_t t = s->gaps - 1; t-- > 0;)
        lower(&first[t], first[t + 1]);
    for (uint32_t i = 0; i < s->count; i++)
        lower(&before[i], first[s->item[i].b]);
    free(first);
}

/* Stack: a value that lies below it, put before it was called and still there, is taken. */
static void stack_deadlines(const struct pl_items *s, struct least *l, uint32_t *before)
{
    uint32_t *by_b = pl_zeroed(s->gaps, sizeof *by_b), t = 0;
    for (uint32_t i = 0; i < s->count; i++)
        if (s->item[i].take != PL_NONE && s->item[i].b < s->after)
            by_b[s->item[i].b] = i + 1;
    for (uint32_t i = 0; i < s->count; i++) { /* items are in order of a */
        for (; t < s->item[i].a; t++)
            if (by_b[t])
                enter(l, s->item[by_b[t] - 1].c, s->item[by_b[t] - 1].d);
        if (s->item[i].take == PL_NONE)
            lower(&before[i], least_from(l, s->item[i].b));
    }
    free(by_b);
}

/* Priority queue: a value that comes after it is taken, by a take called with it inside. */
static void pqueue_deadlines(const struct pl_items *s, struct least *l, uint32_t *before)
{
    const uint32_t *order = pl_items_by_value(s);
    for (uint32_t k = s->count; k-- > 0;) {
        const struct pl_item *i = &s->item[order[k]];
        if (i->take != PL_NONE)
            enter(l, i->c, i->d);
        else
            lower(&before[order[k]], least_from(l, i->b));
    }
}

/* Any container: a take called with it inside finds nothing. */
static void empty_deadlines(const struct pl_items *s, uint32_t *before)
{
    uint32_t *first = pl_zeroed(s->gaps, sizeof *first); /* end of an empty take called from t on */
    memset(first, 0xff, s->gaps * sizeof *first);
    for (uint32_t e = 0; e < s->empties; e++) {
        const struct pl_operation *o = &s->c->history->operation[s->empty[e]];
        first[o->call + 1] = o->ret + 1;
    }
    for (uint32_t t = s->gaps - 1; t-- > 0;)
        lower(&first[t], first[t + 1]);
    for (uint32_t i = 0; i < s->count; i++)
        lower(&before[i], first[s->item[i].b]);
    free(first);
}

/* How many pending takes are called before a time? */
static uint32_t calls_before(const struct pl_items *s, uint32_t time)
{
    uint32_t few = 0, many = s->pendings;
    while (few < many) {
        uint32_t middle = few + (many - few) / 2;
        if (s->c->history->operation[s->pending[middle]].call + 1 < time)
            few = middle + 1;
        else
            many = middle;
    }
    return few;
}

/*
 * When an untaken value must be gone: the first return of an operation that could not have
 * answered so with it inside. The take that removed it was called before that: which is the last
 * pending one that may be it? False: there is none.
 */
static bool find_last(const struct pl_items *s, struct pl_item *const *untaken, uint32_t left,
                      uint32_t *last)
{
    const struct pl_spec *spec = s->c->spec;
    uint32_t *before = last; /* at first */
    struct least l = {pl_zeroed(s->gaps + 1, sizeof *l.d), s->gaps};
    bool good = true;
    memset(before, 0xff, s->count * sizeof *before);
    memset(l.d, 0xff, (s->gaps + 1) * sizeof *l.d);
    if (spec == &pl_spec_fifo)
        queue_deadlines(s, before);
    else if (spec == &pl_spec_lifo)
        stack_deadlines(s, &l, before);
    else if (spec != &pl_spec_bag)
        pqueue_deadlines(s, &l, before);
    empty_deadlines(s, before);
    free(l.d);
    for (uint32_t i = 0; i < left && good; i++) {
        uint32_t *of = &last[untaken[i] - s->item], calls = calls_before(s, *of);
        good = calls > 0;
        if (good)
            *of = *of < s->after ? calls - 1 : s->pendings;
        else
            *s->suspect = *of;
    }
    return good;
}

/* How many attempts to give them takes? They cost as much as there are values. */
static uint32_t allowance(const struct pl_items *s)
{
    bool bounded = s->c->budget && s->c->budget->steps;
    uint64_t all = (uint64_t)(bounded ? WORK : 16 * WORK) / (s->count + 1);
    return LEAST_ATTEMPTS + (uint32_t)(all < MOST_ATTEMPTS ? all : MOST_ATTEMPTS);
}

/* Guesses that cost little. */
static enum pl_decision guess(struct pl_items *s, struct pl_item **untaken, uint32_t left,
                              pl_item_decider *decider, struct pl_witness *out)
{
    enum pl_decision decision = PL_NEITHER;
    if (s->c->hint && left <= MOST_HINTED) {
        decision = try_hints(s, untaken, left, decider, PL_NONE, out);
        for (uint32_t k = 0; k < s->pendings && k < MOST_LEFT_OUT && decision != PL_GOOD; k++)
            decision = try_hints(s, untaken, left, decider, k, out);
    }
    return decision == PL_GOOD ? PL_GOOD : try_oldest(s, untaken, left, decider, out);
}

static enum pl_decision settle_pending(struct pl_items *s, struct pl_item **untaken, uint32_t left,
                                       pl_item_decider *decider, struct pl_witness *out)
{
    for (uint32_t i = 0; i < left; i++)
        pl_items_set_take(s, untaken[i], s->pending[0]); /* they are in order of call */
    enum pl_decision decision = pl_items_attempt(s, decider, NULL);
    forget(s, untaken, left);
    if (decision == PL_BAD)
        return PL_BAD;
    uint32_t *last = pl_zeroed(s->count, sizeof *last);
    decision = PL_BAD;
    if (find_last(s, untaken, left, last))
        decision = pl_items_give_takes(s, untaken, left, last, decider, 1, out);
    if (decision == PL_NEITHER)
        decision = guess(s, untaken, left, decider, out) == PL_GOOD ? PL_GOOD : PL_NEITHER;
    if (decision == PL_NEITHER)
        decision = pl_items_give_takes(s, untaken, left, last, decider, allowance(s), out);
    free(last);
    return decision;
}

enum pl_decision pl_items_settle(struct pl_items *s, pl_item_decider *decider,
                                 struct pl_witness *out)
{
    enum pl_decision decision = pl_items_attempt(s, decider, out);
    uint32_t left = 0;
    if (decision != PL_BAD || !s->pendings)
        return decision;
    struct pl_item **untaken = pl_zeroed(s->count, sizeof(struct pl_item *));
    for (uint32_t i = 0; i < s->count; i++)
        if (s->item[i].take == PL_NONE)
            untaken[left++] = &s->item[i];
    if (left)
        decision = settle_pending(s, untaken, left, decider, out);
    free(untaken);
    return decision;
}
