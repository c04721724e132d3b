/*
 * A graph as bytes, for another process or a file: the events in their order, each with what it
 * reads or where it stands in co; views are computed anew. Integers as in memory: for the same
 * machine and version.
 */
#ifndef PL_GRAPH_STORE_H
#define PL_GRAPH_STORE_H

#include "graph/graph.h"

/* The first `count` events of the order. Returns the bytes used, 0 when there is no room. */
uint64_t pl_graph_store(const struct pl_graph *g, uint32_t count, uint8_t *out, uint64_t room);
/* Returns the bytes used, 0 if they are no graph: then `g` is empty. */
uint64_t pl_graph_load(struct pl_graph *g, const uint8_t *bytes, uint64_t count);

#endif
