/* Between the files that project a graph to its clients: clients.c, clients_psc.c. */
#ifndef PL_GRAPH_CLIENTS_INTERNAL_H
#define PL_GRAPH_CLIENTS_INTERNAL_H

#include "graph/clients.h"

struct pl_clients_work {
    const struct pl_graph *g;
    const struct pl_graph_call *call;
    unsigned calls;
    bool rc11;
    uint64_t points;               /* those there are */
    uint64_t of[PL_GRAPH_THREADS]; /* of each thread */
    uint8_t active[PL_GRAPH_THREADS];
    unsigned actives; /* threads that have points */
    uint64_t made[PL_GRAPH_THREADS][PL_GRAPH_LENGTH + 1];
};
extern struct pl_clients_work pl_clients_work;

#define PL_CLIENTS_CALLS ((uint64_t)0x5555555555555555)

/* The points whose first event after them is in the view. */
static inline uint64_t pl_clients_made(const uint16_t *view)
{
    uint64_t points = 0;
    for (unsigned k = 0; k < pl_clients_work.actives; k++) {
        unsigned t = pl_clients_work.active[k];
        points |= pl_clients_work.made[t][view[t]];
    }
    return points;
}

/* The unlock that a lock waited for is not in the lock's views but in those of what follows. NULL:
 * the event is no lock, or waited for nothing. */
const struct pl_node *pl_clients_unlock(const struct pl_node *last);

/* Are there seq_cst events, and are they such that C3 is right? */
bool pl_clients_has_sc(bool *exact);
/* C3, where that is right. */
void pl_clients_find_global(const uint64_t *order, uint64_t *global);

#endif
