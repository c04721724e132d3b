/*
 * Random small programs as objects: their threads are cut into invocations, and clients may order
 * these.
 */
#ifndef ORACLE_OBJECT_H
#define ORACLE_OBJECT_H

#include "base/prng.h"
#include "graph/clients.h"
#include "program.h"

enum { OR_OBJECT_CALLS = 6, OR_OBJECT_PAIRS = 24, OR_OBJECT_SETS = 64 };

struct or_object {
    struct or_program p;
    unsigned calls;
    struct {
        int thread, first, end; /* operations of the thread */
    } call[OR_OBJECT_CALLS];
    unsigned pairs; /* from a return to a call of another thread */
    struct {
        unsigned from, to;
    } pair[OR_OBJECT_PAIRS];
    unsigned sets;                                 /* some of the sets of such edges, or all */
    uint32_t set[OR_OBJECT_SETS][OR_OBJECT_CALLS]; /* edges by call */
};

void or_object_make(struct or_object *object, uint64_t seed, struct pl_prng *r);
/* Four threads; accesses to the last location synchronise, all others are seq_cst: so psc goes
 * around by way of that one. */
void or_object_make_around(struct or_object *object, uint64_t seed, struct pl_prng *r);

/* Events its thread had made at each call and return, in a graph of it. */
void or_object_calls(const struct or_object *object, const struct pl_graph *g,
                     struct pl_graph_call *call);

#endif
