/*
 * A machine and, besides, calls that failed without a reason: these may have had no effect, in any
 * state. The same answer may also be what the machine itself gives, and then its effect is the
 * machine's: "there was nothing" and "I gave up" look alike, and a counter's first number is 0.
 *
 * Which they are is said by invocation and answer, as the behaviour that is decided has them.
 */
#ifndef PL_CHECK_SPURIOUS_H
#define PL_CHECK_SPURIOUS_H

#include "check/behaviour.h"
#include "check/machine.h"

struct pl_spurious {
    struct pl_machine machine; /* first */
    struct pl_machine *base;   /* borrowed */
    struct pl_spurious_call {
        uint32_t invocation;
        pl_value response;
    } call[PL_MOST_CALLED];
    unsigned calls;
};

/* Of the calls of the behaviour those with `failed`. */
void pl_spurious_init(struct pl_spurious *spurious, struct pl_machine *base,
                      const struct pl_behaviour *behaviour);

#endif
