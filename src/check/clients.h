/*
 * Do all clients of an execution without a global clock see a spec satisfied? (Weak memory.)
 *
 * A client orders operations by synchronising: edges from returns to calls of other threads. Which
 * sets of edges are possible the execution says (graph/clients.h, C1 to C3); of a possible set
 * every part is possible. A possible set gives a history: the partial order of happens-before with
 * the edges. Each must have a witness, a serial order of the operations that keeps it.
 *
 * The sets are searched with the witness as the guide: it explains every set whose order it keeps.
 * What is left are sets whose order contradicts it, and
 *
 *     if a possible set E' ⊇ E has an order that L contradicts, L a witness of E, then for some
 * edge e that L contradicts, given E, the set E' ∪ {e} is possible and has the same order.
 *
 * (Take a pair that L has the other way round, the path of happens-before and edges that makes it,
 * and e from where the path's first edge starts to where its last one ends: the store and the load
 * of e stand beside those of E', and they are ordered already.) So it is enough to go on with
 * E ∪ {e} for each such e that is possible; and with the second without those that hold the first,
 * and so on. A witness is looked for first that has operations in the order that further edges
 * leave to them alone; few edges contradict it. Most executions need one witness, or few.
 *
 * Before that: every possible set is part of one that a linear extension of `cause` gives, so if
 * the walk (walk.h) finds all those good, the clients are.
 */
#ifndef PL_CHECK_CLIENTS_H
#define PL_CHECK_CLIENTS_H

#include "check/client_sets.h"
#include "check/serial.h"

struct pl_client {
    uint32_t edges[PL_MOST_CALLED]; /* the client that is not satisfied; none can go */
    struct pl_order order;          /* with them */
    unsigned unjustified;           /* the operation that should not have blocked, or none */
};

struct pl_clients_stats {
    uint64_t walked, sets; /* decided by the walk; sets that were looked at */
};

/* The behaviour's order is happens-before. PL_BAD: *out has a client. PL_NEITHER: the machine did
 * not know something, or there were too many sets. walk may be NULL: without the shortcut. */
enum pl_decision pl_clients_decide(struct pl_machine *machine, const struct pl_behaviour *behaviour,
                                   const struct pl_allowed *allowed, struct pl_walk *walk,
                                   const struct pl_budget *budget, struct pl_client *out,
                                   struct pl_clients_stats *stats);

/*
 * Another criterion in place of linearizability: is an order between operations (as of
 * pl_serial_before) explained? By a sequence that keeps it, place[]: of each operation,
 * PL_MOST_CALLED if it is not in it; every order that the sequence keeps has to be explained, too,
 * and none that has more than one that is not.
 */
struct pl_explainer {
    enum pl_decision (*explain)(void *context, const uint32_t *before, uint32_t asked,
                                uint8_t *place, unsigned *unjustified);
    void *context;
};
enum pl_decision pl_clients_decide_by(const struct pl_explainer *explainer,
                                      const struct pl_behaviour *behaviour,
                                      const struct pl_allowed *allowed,
                                      const struct pl_budget *budget, struct pl_client *out,
                                      struct pl_clients_stats *stats);

/* Are all histories of the behaviour's order good, with a global clock? Under sc, where the walk
 * says so, too: its histories are the sets that have no cycle with the order. Few witnesses are
 * looked for; false: that is not known. thread: of each operation. */
bool pl_clients_are_good(struct pl_machine *machine, const struct pl_behaviour *behaviour,
                         const uint8_t *thread, struct pl_clients_stats *stats);

#endif
