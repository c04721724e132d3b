/*
 * Do all histories that one execution can show satisfy the spec? (Line-Up, definitions 1 to 3.)
 *
 * A behaviour is a partial order over calls and returns; its linear extensions are the
 * histories. The walk goes through the downsets of the order instead of the extensions:
 *
 *     downset of events that have happened  ->  the configurations possible then
 *     configuration: spec state, set of operations that have taken effect
 *
 * W1  Returns are taken as soon as the order allows. This loses nothing: to move a return
 *     before a call only adds to the real-time order, so a witness of the history with the
 *     early return is one of the history with the late return.
 * W2  So the only choice is which call comes next.
 * W3  A downset is not walked again with a superset of configurations it was walked with: what
 *     remains is the same, and what one configuration can explain it can also explain in a
 *     larger company. (Not every superset is recognised.)
 * W4  An operation takes effect when some return needs it to, not before: between, nothing is
 *     lost by waiting.
 *
 * A history without `stuck`: a pending operation may have taken effect with any answer the spec
 * allows, or not. A stuck one: each pending operation e needs an order of the completed ones
 * after which e blocks. (Other pending operations are left out, and since e comes last its call
 * orders nothing: one walk without any pending call serves all e, each asks at its end.)
 *
 * PL_GOOD: every history is fine. PL_BAD: *out has one that is not. PL_NEITHER: one was found
 * that is not, but on the way the machine did not know an answer (out->untried), or the budget
 * ran out (out->untried is false then).
 */
#ifndef PL_CHECK_WALK_H
#define PL_CHECK_WALK_H

#include "check/behaviour.h"
#include "check/check.h"
#include "check/machine.h"

enum { PL_NONE_CALLED = PL_MOST_CALLED }; /* no operation */

/* A history that does not satisfy the spec. */
struct pl_refuted {
    uint8_t event[PL_CALLED_EVENTS]; /* the whole history, all pending calls included */
    unsigned events;
    unsigned at;          /* place in event[] of the return after which no configuration is left;
                             answers of operations that return later are known and count. ==
                             events: all that returned is explained */
    unsigned unjustified; /* the pending operation that should not have blocked; or
                             PL_NONE_CALLED */
    bool untried;
};

/* Over all decisions made with it. */
struct pl_walk_stats {
    uint64_t behaviours, downsets, configurations, pruned;
};

struct pl_walk; /* memory that is used again from one behaviour to the next */

struct pl_walk *pl_walk_new(void);
void pl_walk_free(struct pl_walk *walk);

/* The order must be one (B1). `out` may be NULL. */
enum pl_decision pl_walk(struct pl_walk *walk, struct pl_machine *machine,
                         const struct pl_behaviour *behaviour, const struct pl_budget *budget,
                         struct pl_refuted *out);

const struct pl_walk_stats *pl_walk_stats(const struct pl_walk *walk);

#endif
