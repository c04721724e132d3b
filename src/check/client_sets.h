/*
 * Sets of edges by which a client may order the operations of an execution without a global clock
 * (clients.h says what for). An edge leads from the return of i to the call of j on another thread.
 *
 * S1  Of a possible set every part is possible. So every set is reached edge by edge.
 * S2  An edge whose two ends are ordered by a possible set already can be added to it, and adds
 *     nothing: its store and load stand beside those that order them.
 */
#ifndef PL_CHECK_CLIENT_SETS_H
#define PL_CHECK_CLIENT_SETS_H

#include "check/behaviour.h"

#define PL_CALL_EVENTS ((uint64_t)0x5555555555555555)

/* What the execution says of its clients: C1 to C3 of graph/clients.h. */
struct pl_allowed {
    uint64_t cause[PL_CALLED_EVENTS], global[PL_CALLED_EVENTS]; /* points: 2i the call, 2i + 1 */
    uint32_t barred[PL_MOST_CALLED];
    uint8_t thread[PL_MOST_CALLED]; /* of each operation */
    /* Not NULL: `global` says nothing, this one has to be asked, too. edges[j]: set of i. */
    bool (*asks)(void *context, const uint32_t *edges);
    void *context;
};

/* A set, and what is ordered with it: all closed. `order` is happens-before. */
struct pl_client_set {
    uint64_t order[PL_CALLED_EVENTS], cause[PL_CALLED_EVENTS], global[PL_CALLED_EVENTS];
    uint32_t edges[PL_MOST_CALLED];
};

struct pl_client_sets {
    const struct pl_behaviour *behaviour; /* its order is happens-before */
    const struct pl_allowed *allowed;
    uint64_t barred[PL_MOST_CALLED]; /* as sets of points */
    unsigned operations;
    uint32_t returned;
    bool seq_cst; /* global, or asks: an edge may do more than the order it stands for */
};

/* Both are borrowed. first: the set without edges. */
void pl_client_sets_init(struct pl_client_sets *sets, const struct pl_behaviour *behaviour,
                         const struct pl_allowed *allowed, struct pl_client_set *first);
void pl_client_sets_add(const struct pl_client_sets *sets, struct pl_client_set *set, unsigned i,
                        unsigned j);
/* Without one edge. */
void pl_client_sets_less(const struct pl_client_sets *sets, const struct pl_client_set *set,
                         unsigned i, unsigned j, struct pl_client_set *less);

/* Edges to each operation that are possible, as far as that can be told without asking; is one,
 * then? */
void pl_client_sets_possible(const struct pl_client_sets *sets, const struct pl_client_set *set,
                             uint32_t *possible);
bool pl_client_sets_allows(const struct pl_client_sets *sets, const struct pl_client_set *set,
                           unsigned i, unsigned j);

/* Is an edge that was left out ordered all the same? Then the set was part of an earlier one (S2).
 */
bool pl_client_sets_covers(const struct pl_client_sets *sets, const struct pl_client_set *set,
                           const uint32_t *left_out);

/* before[j]: the operations that return before the call of j. */
void pl_client_sets_before(const struct pl_client_sets *sets, const struct pl_client_set *set,
                           uint32_t *before);

/* Closes rows[count], transitively. */
void pl_rows_close(uint64_t *row, unsigned count);

#endif
