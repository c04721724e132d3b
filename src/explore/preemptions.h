/*
 * The least number of preemptions an execution graph needs under sequential consistency: among
 * the orders of its events in which every read finds the newest value, the fewest switches away
 * from a thread that could have gone on. A thread cannot go on when it has ended, when it waits
 * for a lock that is held, for the end of a thread, or for a value that is not there, or when its
 * next step is the only access of a round of a loop and would change nothing (it spins).
 */
#ifndef PL_EXPLORE_PREEMPTIONS_H
#define PL_EXPLORE_PREEMPTIONS_H

#include "explore/trust.h"
#include "graph/graph.h"

struct pl_preemptions {
    const uint32_t *made; /* the events below made[thread] only; NULL: all */
    /* An execution that ended at an event of this thread: the others need not have come as far as
     * they have, and can go on after their last event unless their bit in `waiting` is set.
     * -1: the whole graph. */
    int last;
    uint64_t waiting;
    /* Of each thread the step that it would make after its last event, and had to wait with: a
     * read, of a lock or one that awaits something or one of a loop that waits for another value
     * than this; a join. Leaving the thread there is free as long as it would have to wait. NULL:
     * not known. */
    const struct pl_node *const *next;
    uint64_t whole; /* with `last`: these have made all their events, too */
    bool kindly;    /* a thread without another event counts as one that cannot go on */
    unsigned most;  /* look no further than this */
    const struct pl_trust_edge *edge; /* besides what the graph orders */
    unsigned edges;
};

enum { PL_PREEMPTIONS_ANY = 1000000 };

/* The least number, or most + 1 if it is more. If there are too many orders to look at, the answer
 * is the greatest number up to which none was found: no more than the true one. */
unsigned pl_preemptions_least(const struct pl_graph *g, const struct pl_preemptions *question);
/* Likewise, and an order that needs so few: *count events, and before which of them a thread that
 * could have gone on was left. With `last`, events that are not needed are left out. *count is 0 if
 * there is none: the graph is not sequentially consistent. */
unsigned pl_preemptions_order(const struct pl_graph *g, const struct pl_preemptions *question,
                              struct pl_ref *order, bool *preempts, uint32_t *count);

#endif
