/* Of a whole graph, whatever model it was made under: could it have happened one step at a time? */
#ifndef PL_GRAPH_WHOLE_H
#define PL_GRAPH_WHOLE_H

#include "graph/graph.h"

/* Its events in an order in which each read finds the newest value, threads taking long turns, and
 * the thread `late` only where no other can: those below made[thread], or all if NULL. Returns how
 * many could be so ordered: all of them exactly if po ∪ rf ∪ co ∪ fr and the edges of create, join
 * and unlock have no cycle. */
uint32_t pl_graph_sc_order(const struct pl_graph *g, const uint32_t *made, unsigned late,
                           struct pl_ref *out);
bool pl_graph_is_sc(const struct pl_graph *g);

#endif
