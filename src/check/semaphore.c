/*
 * Semaphores, in linear time: releases as early as possible, at their call; acquisitions as
 * late as possible, at their return. That is best for every acquisition, and nothing else
 * can go wrong unless an attempt failed, which needs a moment with none left: then a history
 * that is bad without the failed attempts is bad, others are NEITHER.
 */
#include "check/check.h"

enum pl_decision pl_decide_semaphore(const struct pl_case *c, struct pl_witness *out)
{
    const struct pl_history *h = c->history;
    pl_value count = c->initial;
    bool failures = false;
    for (uint32_t t = 0; t < h->events; t++) {
        uint32_t i = h->event[t] / 2;
        const struct pl_operation *o = &h->operation[i];
        bool is_return = h->event[t] % 2;
        if (o->code == PL_SEMAPHORE_RELEASE && !is_return) {
            count++;
            pl_witness_add(out, i, PL_NIL);
        }
        if (o->code == PL_SEMAPHORE_RELEASE || !is_return)
            continue;
        if (o->code == PL_SEMAPHORE_TRY && o->result != 1) {
            failures = true; /* or not recorded */
            continue;
        }
        if (count-- <= 0)
            return PL_BAD;
        pl_witness_add(out, i, o->result);
    }
    return failures ? PL_NEITHER : PL_GOOD;
}
