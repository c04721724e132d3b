/*
 * The order of points: events of a graph at which, as the program says, operations of an object
 * took effect. Two points are ordered by (hb ∪ rf ∪ co ∪ fr)+; under weak models that may have
 * cycles, and then each of two points comes before the other. Points at one event are in the order
 * in which they are given, and nothing comes between them.
 *
 * Points and calls or returns: under sc by the same order, which is one of time; under weak models
 * by happens-before, which is all the order that calls and returns have there (clients.h). But a
 * client that synchronises after a return and before a call adds to the order of points, too; what
 * it adds goes through the order of all events (past, future, and the rows between calls and
 * returns).
 */
#ifndef PL_GRAPH_EFFECTS_H
#define PL_GRAPH_EFFECTS_H

#include "graph/clients.h"

struct pl_graph_effect {
    uint16_t event; /* its index in its thread */
    uint8_t thread;
};

struct pl_graph_effect_order {
    uint64_t before, after; /* calls (2i) and returns (2i + 1) that come before it, after it */
    uint64_t earlier;       /* points that come before it */
    uint64_t with;          /* the other points of its event */
    uint64_t past, future;  /* calls and returns by (hb ∪ rf ∪ co ∪ fr)+, under every model */
};

/* Of more than 64 points `earlier` stays empty. Those of one event are in the order in which they
 * were passed. reach: of each call and return those that come before it by (hb ∪ rf ∪ co ∪ fr)+;
 * NULL: not asked for. */
void pl_graph_effects(const struct pl_graph *g, bool sc, const struct pl_graph_call *call,
                      unsigned calls, const struct pl_graph_effect *effect, unsigned count,
                      struct pl_graph_effect_order *out, uint64_t *reach);

#endif
