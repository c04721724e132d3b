/*
 * Which clients a graph allows: the calls of an object are under way between some events of its
 * threads, and what orders them?
 *
 *     thread:   … e e │call│ e e e │return│ e …          point 2i: the call of i, 2i + 1: its
 * return
 *
 * A client orders two calls only by synchronising: a release store after the return of i, on a flag
 * of its own, that an acquire load before the call of j reads. That is an extra edge return(i) →
 * call(j). A set E of such edges is possible exactly if the graph with these stores and loads is
 * consistent. Fewer edges are possible if more are: to take the store and load of an edge away
 * takes pairs from po, rf, happens-before, psc and nothing else, and every axiom says that some
 * monotone expression over them has no cycle, or does not meet the identity.
 *
 * What decides whether E is possible, in terms of points:
 * C1  `cause` ∪ E has no cycle. Of rc11 that is (po ∪ rf)+ with the edges of create, join and
 *     unlock; of sc everything; of tso the global order from a call to a return: a flag's store
 *     comes after all before it, its load before all after it. (But its store and a later load of
 *     the same thread are not kept in order, so calls of one thread are not in it as such.)
 * C2  rc11, coherence: no path of happens-before and E leads from return(i) to call(j) if i is in
 *     barred[j]: something before return(i) is newer than what something after call(j) has to do
 *     with at the same location. A new path of happens-before from one event to the other goes
 *     through the points.
 * C3  rc11, seq_cst: `global` ∪ E has no cycle. It has the pairs (call j, return i) where
 *     happens-before leads from one to the other, or a path of psc from a seq_cst event that the
 *     load's edge reaches to one that reaches the store. A new edge of psc is one of
 * sb≠loc;hb;sb≠loc through flags, which are at locations of their own. It is also one of hb|loc,
 * but where every access to a location is seq_cst, such a pair is joined by psc already: by co, fr,
 * or hb from a write to what reads it. (Two reads of one write are: happens-before leaves the first
 * by another location, or by a write there, which the second would have to read.) Otherwise —
 * seq_cst fences, locations where only some accesses are seq_cst — `exact` is false, and the graph
 * itself must be asked: pl_graph_allows.
 *
 * Under sc C1 is all, and the maximal sets are those of the linear extensions of `cause`; under tso
 * C1 is all, too.
 */
#ifndef PL_GRAPH_CLIENTS_H
#define PL_GRAPH_CLIENTS_H

#include "graph/graph.h"

enum { PL_GRAPH_CALLS = 31, PL_GRAPH_POINTS = 2 * PL_GRAPH_CALLS };

/* An invocation: how many events its thread had made at its call and at its return. */
struct pl_graph_call {
    uint16_t call, ret;
    uint8_t thread;
    bool called, returned;
    uint8_t zero; /* or it would be a hole */
};

/* Of the calls there are; the other rows are not touched. `order`, and under sc and rc11 `cause`,
 * are transitive. */
struct pl_clients {
    uint64_t order[PL_GRAPH_POINTS]; /* the points that happen before each */
    uint64_t cause[PL_GRAPH_POINTS], global[PL_GRAPH_POINTS];
    uint32_t barred[PL_GRAPH_CALLS];
    bool exact;
};

/* Calls of one thread are in order in call[], those of two threads in any. */
void pl_graph_clients(const struct pl_graph *g, const struct pl_model *model,
                      const struct pl_graph_call *call, unsigned calls, struct pl_clients *out);
/* The same in two steps: all but `global` and `exact`, and under sc `order` only; and the rest of
 * what was begun last, with whether there is anything in `global`. */
void pl_graph_clients_begin(const struct pl_graph *g, const struct pl_model *model,
                            const struct pl_graph_call *call, unsigned calls,
                            struct pl_clients *out);
bool pl_graph_clients_end(struct pl_clients *out);

/* The calls, of these, that happen before the return of j, by the declared orders under any model.
 */
uint32_t pl_graph_passed(const struct pl_graph *g, const struct pl_graph_call *call, unsigned j,
                         uint32_t among);

/* The definition, by doing it: is the graph with the stores and loads of these edges consistent?
 * edges[j]: the set of i with an edge from the return of i to the call of j. */
bool pl_graph_allows(const struct pl_graph *g, const struct pl_model *model,
                     const struct pl_graph_call *call, unsigned calls, const uint32_t *edges);

/* Is there room for the question? */
bool pl_graph_has_room(const struct pl_graph *g, unsigned calls);

/* ---- of the models ---- */

/* tso.c: what a store of a fresh location that would be the count-th event of the thread comes
 * after: of each thread the events with an index below past[], buffered stores perhaps not. */
void pl_tso_past(const struct pl_graph *g, unsigned thread, unsigned count, uint16_t *past);

#endif
