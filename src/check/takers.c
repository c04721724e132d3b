/*
 * Which pending take took which of the values that nobody else took? Of each value that nobody took
 * it is known which pending takes can be the one, from `first` to `last` in the order of their
 * calls; after all of them comes "nobody". The earlier a take was called the less it asks of the
 * history, so
 *
 *     I1  bad with every value at its first: bad whatever they took
 *     I2  bad with some values at a place and the others at their first: one of the some was taken
 * by an earlier take than that
 *
 * One way to give each value a take is tried: the value that must be gone first gets the first
 * take. If that is bad, few values of it are looked for that are bad as in I2, and one after the
 * other is said to be gone earlier, those before it not. Mostly there is one such value, and then
 * nothing branches. Nothing is lost: each way to explain the history is in one of the branches.
 */
#include <stdlib.h>

#include "base/memory.h"
#include "check/items.h"

struct value {
    struct pl_item *item;
    uint32_t first, last; /* pending takes; as many as there are: nobody */
    uint32_t at;          /* the one tried */
    uint32_t far;         /* from where it failed */
    bool low;             /* the first is tried */
};

struct takers {
    struct pl_items *s;
    pl_item_decider *decider;
    struct pl_witness *out;
    struct value *value, **order; /* they stay; to be sorted */
    uint32_t count;
    uint32_t attempts; /* that may still be made */
};

static enum pl_decision attempt(struct takers *t, struct pl_witness *out)
{
    uint32_t nobody = t->s->pendings;
    for (uint32_t i = 0; i < t->count; i++) {
        const struct value *v = &t->value[i];
        uint32_t at = v->low ? v->first : v->at;
        pl_items_set_take(t->s, v->item, at == nobody ? PL_NONE : t->s->pending[at]);
    }
    t->attempts -= t->attempts > 0;
    enum pl_decision decision = pl_items_attempt(t->s, t->decider, out);
    for (uint32_t i = 0; i < t->count; i++)
        pl_items_set_take(t->s, t->value[i].item, PL_NONE);
    return decision;
}

static int by_last(const void *a, const void *b)
{
    const struct value *x = *(struct value *const *)a, *y = *(struct value *const *)b;
    return (x->last > y->last) - (x->last < y->last);
}

static int by_distance(const void *a, const void *b)
{
    const struct value *x = *(struct value *const *)a, *y = *(struct value *const *)b;
    return (x->far > y->far) - (x->far < y->far);
}

/* One way; false: there are too few takes for the values that must be gone. */
static bool give(struct takers *t)
{
    uint32_t nobody = t->s->pendings, needs = 0;
    for (uint32_t i = 0; i < t->count; i++) {
        struct value *v = &t->value[i];
        v->at = nobody;
        v->low = false;
        if (v->last < nobody)
            t->order[needs++] = v;
    }
    qsort(t->order, needs, sizeof *t->order, by_last);
    for (uint32_t i = 0; i < needs; i++) {
        if (t->order[i]->last < i)
            return false;
        t->order[i]->at = i;
    }
    return true;
}

/* Those that could be earlier than they are, from where it failed outwards; the others are at their
   first, or later than now in any case. */
static uint32_t choose(struct takers *t)
{
    uint32_t count = 0, around = *t->s->suspect;
    for (uint32_t i = 0; i < t->count; i++) {
        struct value *v = &t->value[i];
        v->low = true;
        if (v->at <= v->first)
            continue;
        v->far = v->item->b > around ? v->item->b - around : around - v->item->b;
        t->order[count++] = v;
    }
    qsort(t->order, count, sizeof *t->order, by_distance);
    return count;
}

/* Is it bad with the first so many in order at their places, and those that are needed? */
static bool bad_with(struct takers *t, uint32_t many, uint32_t limit)
{
    for (uint32_t i = 0; i < limit; i++)
        t->order[i]->low = i >= many;
    return !t->attempts || attempt(t, NULL) == PL_BAD;
}

/*
 * I2, as few as possible: they are the last ones in order, from the one told on. Bad with all in
 * order at their places, good with none.
 */
static uint32_t find_few(struct takers *t, uint32_t count)
{
    uint32_t limit = count, from = count;
    while (t->attempts && (from == count || !bad_with(t, 0, limit))) {
        uint32_t good = 0, bad = 1;
        while (bad < limit && !bad_with(t, bad, limit)) {
            good = bad;
            bad *= 4;
        }
        bad = bad < limit ? bad : limit;
        while (good + 1 < bad) {
            uint32_t middle = good + (bad - good) / 2;
            *(bad_with(t, middle, limit) ? &bad : &good) = middle;
        }
        limit = bad - 1; /* the last of them is needed; what comes after is not */
        struct value *needed = t->order[limit];
        needed->low = false;
        for (uint32_t i = limit + 1; i < from; i++)
            t->order[i]->low = true;
        t->order[limit] = t->order[from - 1];
        t->order[--from] = needed;
        limit = limit < from ? limit : from;
    }
    return from;
}

static enum pl_decision solve(struct takers *t);

/* I1 */
static bool bad_at_first(struct takers *t)
{
    for (uint32_t i = 0; i < t->count; i++)
        t->value[i].low = true;
    return attempt(t, NULL) == PL_BAD;
}

/* One of the few was taken earlier than tried. */
static enum pl_decision branch(struct takers *t, const uint32_t *few, uint32_t count)
{
    struct value *was = pl_zeroed(count, sizeof *was);
    enum pl_decision decision = PL_BAD;
    for (uint32_t i = 0; i < count; i++)
        was[i] = t->value[few[i]];
    for (uint32_t i = 0; i < count && decision == PL_BAD; i++) {
        struct value *v = &t->value[few[i]];
        v->last = was[i].at - 1;
        decision = solve(t);
        v->last = was[i].last;
        v->first = was[i].at; /* else it is later */
        if (decision == PL_BAD && i + 1 < count && bad_at_first(t))
            break;
    }
    for (uint32_t i = 0; i < count; i++)
        t->value[few[i]].first = was[i].first;
    free(was);
    return decision;
}

/* Good with every value at its first. */
static enum pl_decision solve(struct takers *t)
{
    if (!give(t))
        return PL_BAD;
    if (attempt(t, t->out) == PL_GOOD)
        return PL_GOOD;
    if (!t->attempts || pl_check_over(t->s->c->budget))
        return PL_NEITHER;
    uint32_t count = choose(t);
    uint32_t from = find_few(t, count);
    if (!t->attempts)
        return PL_NEITHER;
    uint32_t *few = pl_zeroed(count - from, sizeof *few);
    for (uint32_t i = from; i < count; i++)
        few[i - from] = (uint32_t)(t->order[i] - t->value);
    enum pl_decision decision = branch(t, few, count - from);
    free(few);
    return decision;
}

enum pl_decision pl_items_give_takes(struct pl_items *s, struct pl_item *const *untaken,
                                     uint32_t left, const uint32_t *last, pl_item_decider *decider,
                                     uint32_t attempts, struct pl_witness *out)
{
    struct takers t = {s, decider, out, NULL, NULL, left, attempts};
    t.value = pl_zeroed(left, sizeof *t.value);
    t.order = pl_zeroed(left, sizeof(struct value *));
    for (uint32_t i = 0; i < left; i++)
        t.value[i] = (struct value){.item = untaken[i], .last = last[untaken[i] - s->item]};
    enum pl_decision decision = solve(&t);
    free(t.value);
    free(t.order);
    return decision;
}
