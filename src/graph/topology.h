/*
 * Is a relation over the events of a graph free of cycles? Edges are given one by one
 * (immediate ones are enough), then the events are sorted topologically: linear in events
 * and edges.
 */
#ifndef PL_GRAPH_TOPOLOGY_H
#define PL_GRAPH_TOPOLOGY_H

#include "graph/graph.h"

enum { PL_TOPOLOGY_EDGES = 8 * PL_GRAPH_EVENTS };

struct pl_topology {
    const struct pl_graph *g;
    uint32_t edges;
    bool overflow;
};

void pl_topology_init(struct pl_topology *t, const struct pl_graph *g);
void pl_topology_edge(struct pl_topology *t, struct pl_ref from, struct pl_ref to);
/* rf (only between threads unless `internal`), co, fr, create, join, unlock. */
void pl_topology_memory(struct pl_topology *t, bool internal);
bool pl_topology_acyclic(struct pl_topology *t);

/* Every read-modify-write of the location comes right after what it reads. */
bool pl_atomic_updates(const struct pl_graph *g, uint32_t location);

#endif
