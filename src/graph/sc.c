/*
 * Sequential consistency: po ∪ rf ∪ co ∪ fr, with the edges of create, join and unlock,
 * has no cycle, and nothing comes between the halves of a read-modify-write.
 */
#include "graph/topology.h"

static bool consistent(const struct pl_graph *g, struct pl_ref last)
{
    struct pl_topology t;
    if (!pl_atomic_updates(g, pl_at(g, last)->location))
        return false;
    pl_topology_init(&t, g);
    for (unsigned i = 0; i < g->threads; i++)
        for (unsigned k = 1; k < g->thread[i].count; k++)
            pl_topology_edge(&t, g->thread[i].node[k - 1].self, g->thread[i].node[k].self);
    pl_topology_memory(&t, true);
    return pl_topology_acyclic(&t);
}

const struct pl_model pl_model_sc = {"sc", consistent};
