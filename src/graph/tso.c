/*
 * x86-TSO, axiomatically: each location is coherent (po restricted to it, rf, co, fr), and
 * the global order has no cycle: po without write-to-read pairs, what fences and
 * read-modify-writes keep, rf between threads, co, fr.
 *
 * C11 as compiled for x86: a seq_cst store is followed by a full fence (it is compiled to
 * an exchange), every read-modify-write is one (a compare-and-swap also when it fails), a
 * seq_cst fence is one; weaker fences and orders cost nothing there.
 */
#include <stddef.h>

#include "graph/topology.h"

/* The thread's own earlier accesses to the location: never an older write than they saw. */
static bool coherent(const struct pl_graph *g, const struct pl_node *e)
{
    int place = pl_co_place(g, e->location, pl_write_of(e));
    const struct pl_node *first = g->thread[e->self.thread].node;
    for (const struct pl_node *n = first; n < e; n++) {
        if ((n->kind != PL_GRAPH_READ && n->kind != PL_GRAPH_WRITE) || n->location != e->location)
            continue;
        int earlier = pl_co_place(g, n->location, pl_write_of(n));
        if (e->kind == PL_GRAPH_WRITE ? earlier >= place : earlier > place)
            return false;
    }
    return true;
}

static bool drains(const struct pl_node *n)
{
    return (n->kind >= PL_GRAPH_BEGIN && n->kind != PL_GRAPH_UNLOCK) ||
           (n->kind == PL_GRAPH_FENCE && n->order == PL_SC) ||
           (n->kind == PL_GRAPH_WRITE && ((n->flags & PL_GRAPH_F_RMW) || n->order == PL_SC));
}

static void thread_edges(struct pl_topology *t, const struct pl_graph_thread *thread)
{
    const struct pl_node *read = NULL, *write = NULL, *fence = NULL;
    for (unsigned k = 0; k < thread->count; k++) {
        const struct pl_node *n = &thread->node[k];
        bool update = n->op != PL_OP_NONE; /* the read of one, also of a CAS that fails */
        if (n->kind == PL_GRAPH_FENCE && !drains(n))
            continue;
        if (read)
            pl_topology_edge(t, read->self, n->self);
        if (fence)
            pl_topology_edge(t, fence->self, n->self);
        if (write && (n->kind != PL_GRAPH_READ || update))
            pl_topology_edge(t, write->self, n->self);
        if (n->kind == PL_GRAPH_READ)
            read = n;
        else if (n->kind == PL_GRAPH_WRITE || n->kind == PL_GRAPH_UNLOCK) /* a plain store */
            write = n;
        if (drains(n))
            fence = n;
    }
}

static bool consistent(const struct pl_graph *g, struct pl_ref last)
{
    const struct pl_node *e = pl_at(g, last);
    struct pl_topology t;
    if (!pl_atomic_updates(g, e->location))
        return false;
    if ((e->kind == PL_GRAPH_READ || e->kind == PL_GRAPH_WRITE) && !coherent(g, e))
        return false;
    pl_topology_init(&t, g);
    for (unsigned i = 0; i < g->threads; i++)
        thread_edges(&t, &g->thread[i]);
    pl_topology_memory(&t, false);
    return pl_topology_acyclic(&t);
}

const struct pl_model pl_model_tso = {"tso", consistent};
