/* Of a whole graph, whatever model it was made under: could it have happened one step at a time? */
#ifndef PL_GRAPH_WHOLE_H
#define PL_GRAPH_WHOLE_H

#include "graph/graph.h"

/* Is it sequentially consistent: po ∪ rf ∪ co ∪ fr and the edges of create, join and unlock
 * without a cycle? */
bool pl_graph_is_sc(const struct pl_graph *g);

#endif
