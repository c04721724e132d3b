/*
 * Random small specs and executions, good and bad, for the deciders of `plumb check`.
 *
 * An execution is made from a run: operations of a few threads are called, take effect and
 * return in a random order, and answer what the spec says at that moment (or something else
 * now and then). Of that total order of calls and returns some pairs are kept. Without threads
 * the order is any order.
 */
#ifndef ORACLE_EXECUTIONS_H
#define ORACLE_EXECUTIONS_H

#include "base/prng.h"
#include "check/behaviour.h"
#include "check/machine.h"
#include "linearize.h"

struct or_shape {
    bool nondeterministic, blocking, threads, stuck;
    unsigned operations, kept, wrong, left; /* the last three in 100: pairs, answers, pending */
};

struct or_shape or_execution_shape(struct pl_prng *r);
void or_random_spec(struct pl_prng *r, const struct or_shape *shape, struct or_spec *out);
void or_random_execution(struct pl_prng *r, const struct or_shape *shape,
                         const struct or_spec *spec, struct or_execution *out);

/* The same for the deciders; the order may be one that they have to close. By cell: invocation i
   is operation i. */
struct or_case {
    struct pl_order order;
    struct pl_called called[OR_CALLS];
    struct pl_behaviour behaviour;
};

void or_case_make(const struct or_execution *x, bool by_cell, struct or_case *out);

/* A table as a machine. */
struct or_machine {
    struct pl_machine machine;
    const struct or_spec *spec;
};

struct or_machine or_machine_of(const struct or_spec *spec);

void or_print(const struct or_spec *spec, const struct or_execution *x);

#endif
