/* Between the files that project a graph to its clients: clients.c, clients_psc.c. */
#ifndef PL_GRAPH_CLIENTS_INTERNAL_H
#define PL_GRAPH_CLIENTS_INTERNAL_H

#include "graph/clients.h"

struct pl_clients_work {
    const struct pl_graph *g;
    const struct pl_graph_call *call;
    unsigned calls;
    bool rc11, sc;
    uint64_t points;                 /* those there are */
    uint64_t of[PL_GRAPH_THREADS];   /* of each thread */
    uint16_t index[PL_GRAPH_POINTS]; /* events its thread had made at each */
    unsigned first, end;             /* threads that have points are from first to before end */
    /* made[v][t]: the points before event v of the thread, of those from first to end */
    uint64_t made[PL_GRAPH_LENGTH + 1][PL_GRAPH_THREADS];
    uint32_t called[PL_GRAPH_LENGTH + 1][PL_GRAPH_THREADS]; /* the calls among them */
};
extern struct pl_clients_work pl_clients_work;

#define PL_CLIENTS_CALLS ((uint64_t)0x5555555555555555)

/* The points whose first event after them is in the view. */
static inline uint64_t pl_clients_made(const uint16_t *view)
{
    uint64_t points = 0;
    for (unsigned t = pl_clients_work.first; t < pl_clients_work.end; t++)
        points |= pl_clients_work.made[view[t]][t];
    return points;
}

/* The unlock that a lock waited for is not in the lock's views but in those of what follows. NULL:
 * the event is no lock, or waited for nothing. */
const struct pl_node *pl_clients_awaited(const struct pl_node *lock);
static inline const struct pl_node *pl_clients_unlock(const struct pl_node *last)
{
    bool lock = last->kind == PL_GRAPH_WRITE && (last->flags & PL_GRAPH_F_LOCK);
    return lock ? pl_clients_awaited(last) : NULL;
}

/* Under sc: the points before each that there is. */
void pl_clients_find_sc_order(uint64_t *order);
/* C2, as sets of operations. */
void pl_clients_find_barred(uint32_t *barred);
/* Are there seq_cst events, and are they such that C3 is right? */
bool pl_clients_has_sc(bool *exact);
/* C3, where that is right. */
void pl_clients_find_global(const uint64_t *order, uint64_t *global);

#endif
