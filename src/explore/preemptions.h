/*
 * The least number of preemptions an execution graph needs under sequential consistency: among
 * the orders of its events in which every read finds the newest value, the fewest switches away
 * from a thread that could have gone on. A thread cannot go on when it has ended, when it waits
 * for a lock that is held, for the end of a thread, or for a value that is not there, or when its
 * next step is the only access of a round of a loop and would change nothing (it spins).
 *
 * A graph on the way to others is judged kindly: a thread without another event in it counts as
 * one that cannot go on, so a graph never needs more than those it grows into, but for the slack.
 *
 * The slack (Marmanis, Kokologiannakis, Vafeiadis, "Reconciling Preemption Bounding with DPOR",
 * TACAS 2023): a search that cuts every graph above the bound loses executions within it, because
 * events that a backward revisit deletes are in a graph first, after everything else. Where nobody
 * waits, each thread with such events adds at most one switch away from a thread that could have
 * gone on; the thread of the revisiting write has none, and that of the read is left before it in
 * the execution that comes of it, too: the number of threads less two.
 * With locks that is not enough: the thread of the read may be left for nothing there, because the
 * lock is held, and not in the graph on the way; and a thread with such events may have waited in
 * the midst of them, so that it adds more than one. How much more there can be is not known; the
 * number of threads and one more lost nothing where all was counted (docs/explore.md). Whether
 * anybody waits is not known before it is seen, so without it we take one more than needed. A main
 * that only creates the others and joins them is none of the threads: a join comes when a thread
 * has ended, and leaving either is free.
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
    uint64_t whole;                   /* with `last`: these have made all their events, too */
    bool kindly;                      /* see above */
    unsigned most;                    /* look no further than this */
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
/* Has the graph a step for which a thread waits, at times: a lock, a loop? */
bool pl_preemptions_wait(const struct pl_graph *g);
/* By how much a graph on the way to others may exceed the bound; waits: there are such steps. */
unsigned pl_preemptions_slack(const struct pl_graph *g, bool waits);

#endif
