/*
 * A sequential specification as the deciders of `plumb check` use it: states are numbers, an
 * invocation is a number, and
 *
 *     step(machine, state, invocation, which, &response, &next)
 *
 * gives the which-th thing (0, 1, …) that may happen when the invocation is made in the state:
 * it ANSWERS response and the state is next; or it BLOCKS; or it is UNTRIED: the machine does
 * not know. END comes after the last. So an invocation blocks in a state if one of these says
 * so, and a deterministic spec has exactly one thing before the END.
 *
 * Two states may be equal in all that follows and yet have two numbers; never the reverse.
 *
 * What numbers of invocations mean is agreed between the machine's maker and the behaviours it
 * decides. A spec derived from serial runs distinguishes the same operation called by two
 * threads (Line-Up compares histories thread by thread), a built-in one need not.
 */
#ifndef PL_CHECK_MACHINE_H
#define PL_CHECK_MACHINE_H

#include "history/history.h"

enum pl_step { PL_STEP_END, PL_STEP_ANSWERS, PL_STEP_BLOCKS, PL_STEP_UNTRIED };

struct pl_machine {
    uint32_t start;
    enum pl_step (*step)(struct pl_machine *machine, uint32_t state, uint32_t invocation,
                         unsigned which, pl_value *response, uint32_t *next);
};

static inline enum pl_step pl_step(struct pl_machine *machine, uint32_t state, uint32_t invocation,
                                   unsigned which, pl_value *response, uint32_t *next)
{
    return machine->step(machine, state, invocation, which, response, next);
}

/* May the invocation block in this state? */
static inline bool pl_blocks(struct pl_machine *machine, uint32_t state, uint32_t invocation,
                             bool *untried)
{
    pl_value response;
    uint32_t next;
    for (unsigned which = 0;; which++) {
        enum pl_step step = pl_step(machine, state, invocation, which, &response, &next);
        if (step == PL_STEP_BLOCKS)
            return true;
        if (step == PL_STEP_UNTRIED)
            *untried = true;
        if (step == PL_STEP_END)
            return false;
    }
}

#endif
