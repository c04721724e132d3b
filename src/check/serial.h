/*
 * Is there one serial order of the operations that explains their answers? For a fixed order
 * between operations: that of one history (then it says why there is none, for a report), or
 * that of an execution without a global clock, where only synchronisation orders operations
 * and the partial order itself is the history.
 *
 * Orders are built from the front; configurations (spec state, set of operations placed) are
 * looked at once each. Where none can be completed, the longest ones are the nearest: after the
 * operations placed, what the spec answers to the next is not what it answered.
 *
 * Stuck: every pending operation needs an order of all completed ones after which it blocks.
 */
#ifndef PL_CHECK_SERIAL_H
#define PL_CHECK_SERIAL_H

#include "check/walk.h"

enum { PL_MOST_NEAR = 4, PL_NEAR_ANSWERS = 4 };

struct pl_near {
    uint8_t order[PL_MOST_CALLED]; /* operations that agree, first to last */
    unsigned length;
    unsigned operation; /* the next one, which contradicts: */
    bool pending;       /* it never returned; the spec would not have blocked it */
    bool blocks;        /* the spec would have blocked it */
    unsigned answers;   /* or given one of these answers */
    pl_value answer[PL_NEAR_ANSWERS];
};

/* Good: near[0] is the witness (of a stuck one: of its last pending operation). Bad: the nearest
   orders, each with another contradiction. */
struct pl_nearest {
    struct pl_near near[PL_MOST_NEAR];
    unsigned count;
    unsigned unjustified; /* the pending operation they are about, or PL_NONE_CALLED */
    bool untried;         /* the machine did not know something */
};

/* The order of the behaviour as the only one: `before` from return to call. Weak memory. */
enum pl_decision pl_serial_order(struct pl_machine *machine, const struct pl_behaviour *behaviour,
                                 const struct pl_budget *budget, struct pl_nearest *out);

/* The order of one history of the behaviour: all its events, each once. */
enum pl_decision pl_serial_history(struct pl_machine *machine, const struct pl_behaviour *behaviour,
                                   const uint8_t *event, unsigned events,
                                   const struct pl_budget *budget, struct pl_nearest *out);

/* An order between operations, given as such: before[j] is the set of those before j. asked: of a
   stuck behaviour, the pending operations that have to block. Bad: nothing is said of what comes
   near. */
enum pl_decision pl_serial_before(struct pl_machine *machine, const struct pl_behaviour *behaviour,
                                  const uint32_t *before, uint32_t asked,
                                  const struct pl_budget *budget, struct pl_nearest *out);

#endif
