/*
 * What one execution showed of its operations: who answered what, and the order of calls and
 * returns as far as the execution fixes it.
 *
 *     event 2i      the call of operation i
 *     event 2i + 1  its return; there is none if i is in `pending`
 *     before[e]     the events that come before e; e is not among them
 *
 * Invariants:
 * B1  before is irreflexive and its transitive closure too: no event comes before itself. It
 *     need not be transitive, the deciders close it (pl_order_close).
 * B2  the call of an operation comes before its return; pl_order_close adds this, too.
 *
 * Every linear extension of the order is a history the execution can show.
 */
#ifndef PL_CHECK_BEHAVIOUR_H
#define PL_CHECK_BEHAVIOUR_H

#include "history/history.h"

enum { PL_MOST_CALLED = 31, PL_CALLED_EVENTS = 2 * PL_MOST_CALLED };

struct pl_order {
    unsigned operations; /* at most PL_MOST_CALLED */
    uint32_t pending;    /* set of operations that have not returned */
    uint64_t before[PL_CALLED_EVENTS + 2];
};

struct pl_called {
    uint32_t invocation; /* the machine's number */
    pl_value response;   /* PL_ANY: not recorded; of pending operations it is not looked at */
    uint32_t thread;     /* only to tell two histories apart */
    bool failed;         /* it may fail at any time and looks as if: then it had no effect */
};

struct pl_behaviour {
    const struct pl_order *order;
    const struct pl_called *called; /* of each operation */
    bool stuck;                     /* the execution ended because no pending operation can go on */
};

static inline uint64_t pl_event_bit(unsigned event)
{
    return (uint64_t)1 << event;
}

static inline uint32_t pl_operations_all(const struct pl_order *order)
{
    return (uint32_t)(((uint64_t)1 << order->operations) - 1);
}

/* All events of the order: both of each operation, the calls alone of pending ones. */
uint64_t pl_order_events(const struct pl_order *order);

/*
 * A copy that is transitive, where calls come before their returns, and without events that do
 * not exist; false if some event would come before itself or there are too many operations.
 */
bool pl_order_close(const struct pl_order *order, struct pl_order *out);

/*
 * Operations that may take effect after they have returned: that they return orders nothing, and
 * comes when all else has happened.
 */
void pl_order_late(struct pl_order *order, uint32_t late);

/*
 * The real-time order between operations: before[j] is the set of those whose return comes
 * before the call of j. Of a closed order.
 */
void pl_order_operations(const struct pl_order *order, uint32_t before[PL_MOST_CALLED]);

#endif
