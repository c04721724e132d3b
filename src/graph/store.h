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

/* The outline of a graph: all events in their order, PL_OUTLINE_BYTES each, written fast and
 * without values. What is read back is enough for its relations, and for the script that runs it
 * again (pl_graph_script). 0: there is no room, or the graph is not a whole one. */
enum { PL_OUTLINE_BYTES = 8 };
uint64_t pl_graph_outline(const struct pl_graph *g, uint8_t *out, uint64_t room);
bool pl_graph_load_outline(struct pl_graph *g, const uint8_t *bytes, uint64_t count);

/* Events as a script (explore/trust.h): of each in the order the thread, and two numbers: what a
 * read reads, the place of a write in co among those before it in the order, what was chosen.
 * marks: bits of each, to go with the thread; or NULL. Returns the bytes used, of so many events as
 * there is room for. */
enum { PL_SCRIPT_BYTES = 6 };
uint64_t pl_graph_script(const struct pl_graph *g, const struct pl_ref *order,
                         const uint16_t *marks, uint32_t count, uint8_t *out, uint64_t room);

#endif
