/*
 * Rounds of loops, as events of a graph: the events [from, to) of a thread.
 *
 * A round that leaves everything as it was is void: no complete execution needs it, so the
 * thread is not taken further in that graph. docs/ARCHITECTURE.md says why, and when.
 */
#ifndef PL_EXPLORE_ROUNDS_H
#define PL_EXPLORE_ROUNDS_H

#include "graph/graph.h"

struct pl_round {
    uint16_t thread, from, to;
};

/* Is memory, as others can see it, the same after the round as before it? Updates that write
 * back what they read change nothing, nor do updates of a location that end where they began and
 * that nobody in between can tell (the last may be stores of the round), nor locks that are
 * unlocked, nor writes that the thread overwrites anyway to a location that no other thread has
 * touched. *teller: the event of another thread, outside the round's past, that can tell the
 * difference if one can; else PL_INIT. */
bool pl_round_changes_nothing(const struct pl_graph *g, struct pl_round round,
                              struct pl_ref *teller);
/* May another thread, through a write of the round, see plain memory as the round left it? */
bool pl_round_publishes(const struct pl_graph *g, struct pl_round round);
/* Is the event a write of the round that others must not read: one it takes back, or overwrites? */
bool pl_round_passes(const struct pl_graph *g, struct pl_round round, const struct pl_node *event);
/* Such a one that is taken back: is the next write there a store, before which others can put
 * theirs? */
bool pl_round_takes_back_by_store(const struct pl_graph *g, struct pl_round round,
                                  const struct pl_node *event);
/* Does the round change something because of this event of another thread? */
bool pl_round_minds(const struct pl_graph *g, struct pl_round round, const struct pl_node *event);
/* Does nothing come of the graph any more: was the last read of the round outdated when it was
 * made? No write revisits it, nor a read before it, and the thread goes no further. Whatever the
 * others still do, they do in a graph where it reads the newest. */
bool pl_round_is_hopeless(const struct pl_graph *g, struct pl_round round);
/* Will the thread's round, at whose end it stands, be the same for ever: nothing was chosen, and
 * every read finds the newest write? `standing` has a bit for each thread that stands at the end of
 * a void round, which is round[thread]. */
bool pl_round_is_endless(const struct pl_graph *g, unsigned thread, const struct pl_round *round,
                         uint64_t standing);
/* Does it read, then, what another round that is the same for ever writes in passing, and could it
 * tell? *read: where. */
bool pl_round_could_end(const struct pl_graph *g, unsigned thread, const struct pl_round *round,
                        uint64_t standing, struct pl_ref *read);

#endif
