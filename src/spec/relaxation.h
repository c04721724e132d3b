/*
 * Relaxed takes: the exact queue, stack or priority queue, but a take need not answer the head.
 * (Henzinger, Kirsch, Payer, Sezgin, Sokolova, POPL 2013; Round-Up, section V.A.)
 *
 *     places   its value stands at most so many places from the head
 *     late     at most so many takes, one after the other, do not take the head; puts in between
 *              do not count. With since_head: so many since the head became it, where a put before
 *              it (a stack's, a smaller value's) makes another the head, and when that one is
 *              taken the count begins again.
 *     empty    it may answer "empty" where there are at most so many values, and has then not taken
 *              the head
 *
 * Equal values stand in a priority queue as they were put; a take may have taken any of them. Puts
 * are exact. A relaxed spec allows several answers; criteria and deciders
 * are those of exact ones.
 *
 * A state is that of the exact spec behind one word: how many takes in succession were late.
 */
#ifndef PL_SPEC_RELAXATION_H
#define PL_SPEC_RELAXATION_H

#include "spec/spec.h"

#define PL_RELAXED_ANY UINT32_MAX /* no limit */

struct pl_relaxation {
    bool on; /* all zero: an exact spec */
    bool since_head;
    uint32_t places, late, empty;
};

/* Does the spec have a head that is taken? */
bool pl_relaxation_fits(const struct pl_spec *spec);

/* As the spec's own. */
void pl_relaxation_start(struct pl_state *state);
bool pl_relaxation_step(const struct pl_relaxation *relaxation, const struct pl_spec *spec,
                        const struct pl_values *values, const struct pl_state *from,
                        const struct pl_operation *operation, unsigned which, struct pl_state *to,
                        pl_value *result);

#endif
