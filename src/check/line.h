/*
 * Is every history of an execution explained by one serial order, its line? Mostly so, and then
 * this is a few words of bits and a step of the machine for each operation. Operations that some
 * history of the execution has one after the other must be so in the line, which leaves few lines,
 * mostly one.
 *
 * L1  With a global clock the histories are the linear extensions of `order`. One of them has the
 *     return of i before the call of j unless `order` has the call of j before the return of i. So
 * a line explains all of them exactly if it has i before j wherever `order` does not have that. L2
 * Without one, `order` is happens-before, and the line has to keep it. By clients.h it explains all
 *     sets of edges that are possible if no single edge is that makes an order, with
 * happens-before, that the line does not keep: one from the return of i to the call of j, where the
 * line has something that comes after the call of j before something that returns before i does.
 * What is possible: C1 to C3 of graph/clients.h. A bit missing in `cause`, `global` or `barred`
 * makes an edge possible, so that a line is not found that could be, never the reverse. `order` has
 * to be transitive.
 *
 * All operations have returned.
 */
#ifndef PL_CHECK_LINE_H
#define PL_CHECK_LINE_H

#include "check/behaviour.h"
#include "check/machine.h"

/* An execution, as graph/clients.h has it: rows of points. */
struct pl_line_order {
    unsigned operations;
    const uint64_t *order;
    const uint64_t *cause;  /* NULL: with a global clock; then the others are not looked at */
    const uint64_t *global; /* NULL: not known, the graph would have to be asked */
    const uint32_t *barred;
    const uint64_t *own; /* of each operation: the calls of its thread */
};

/* True: all histories are fine. False: not by one line, or not within the steps it may take. */
bool pl_line_explains(const struct pl_line_order *order, struct pl_machine *machine,
                      const struct pl_called *called);

#endif
