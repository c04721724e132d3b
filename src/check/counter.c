/*
 * Counters whose increments answer the value before and never go down: the answers give the
 * order. Each increment must find what the one before left; where a value is missing, a
 * pending increment made it, the one called first. A read comes while the counter has its
 * value. If this order breaks the real-time order, no other could keep it. n log n.
 */
#include <stdlib.h>

#include "check/check.h"

struct step {
    pl_value value; /* found */
    uint32_t operation;
    bool reads;
};

static int by_value(const void *a, const void *b)
{
    const struct step *x = a, *y = b;
    if (x->value != y->value)
        return x->value < y->value ? -1 : 1;
    if (x->reads != y->reads)
        return x->reads ? -1 : 1; /* reads first: the increment changes it */
    return (x->operation > y->operation) - (x->operation < y->operation);
}

static pl_value delta(const struct pl_operation *o)
{
    return o->code == PL_COUNTER_READ ? 0 : o->code == PL_COUNTER_INC ? 1 : o->argument[0];
}

/* GOOD: steps holds what returned, pending the increments that may be used. */
static enum pl_decision gather(const struct pl_case *c, struct step *steps, uint32_t *count,
                               uint32_t *pending, uint32_t *pendings)
{
    const struct pl_history *h = c->history;
    for (uint32_t i = 0; i < h->count; i++) {
        const struct pl_operation *o = &h->operation[i];
        bool reads = o->code == PL_COUNTER_READ;
        if (!reads && (delta(o) <= 0 || delta(o) > INT32_MAX))
            return PL_NEITHER;
        if (pl_pending(o)) {
            if (!reads)
                pending[(*pendings)++] = i;
            continue;
        }
        if (o->result == PL_ANY || o->result == PL_NIL || o->result >= PL_INTERNED)
            return PL_NEITHER;
        steps[(*count)++] = (struct step){o->result, i, reads};
    }
    for (uint32_t k = 1; k < *pendings; k++)
        if (delta(&h->operation[pending[k]]) != delta(&h->operation[pending[0]]))
            return PL_NEITHER; /* which one fills a gap would be a choice */
    return PL_GOOD;
}

static bool sorted(const struct step *steps, uint32_t count)
{
    for (uint32_t i = 1; i < count; i++)
        if (by_value(&steps[i - 1], &steps[i]) > 0)
            return false;
    return true;
}

/* The next operation comes last; false: it returned before one placed before was called. */
static bool add(const struct pl_history *h, struct pl_witness *out, uint32_t i, pl_value answer,
                uint32_t *last_call)
{
    const struct pl_operation *o = &h->operation[i];
    if (o->ret < *last_call)
        return false;
    *last_call = o->call > *last_call ? o->call : *last_call;
    pl_witness_add(out, i, answer);
    return true;
}

enum pl_decision pl_decide_counter(const struct pl_case *c, struct pl_witness *out)
{
    const struct pl_history *h = c->history;
    struct step *steps = calloc(h->count + 1, sizeof *steps);
    uint32_t *pending = calloc(h->count + 1, sizeof *pending);
    uint32_t count = 0, pendings = 0, used = 0, last_call = 0;
    pl_value value = c->initial;
    PL_ASSERT(steps && pending);
    enum pl_decision decision = gather(c, steps, &count, pending, &pendings);
    if (decision == PL_GOOD && !sorted(steps, count))
        qsort(steps, count, sizeof *steps, by_value);
    for (uint32_t k = 0; k < count && decision == PL_GOOD; k++) {
        while (value < steps[k].value && used < pendings && decision == PL_GOOD) {
            if (!add(h, out, pending[used], value, &last_call))
                decision = PL_BAD;
            value += delta(&h->operation[pending[used++]]);
        }
        if (value != steps[k].value || !add(h, out, steps[k].operation, value, &last_call))
            decision = PL_BAD;
        value += delta(&h->operation[steps[k].operation]);
    }
    free(steps);
    free(pending);
    return decision;
}
