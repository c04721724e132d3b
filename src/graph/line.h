/*
 * Is every history of an execution explained by one serial order, its line? Mostly so, and then
 * this is a few words of bits and a step of the spec for each operation. Operations that some
 * history of the execution has one after the other must be so in the line, which leaves few lines,
 * mostly one.
 *
 * L1  With a global clock the histories are the linear extensions of `order`. One of them has the
 *     return of i before the call of j unless `order` has the call of j before the return of i. So
 *     a line explains all of them exactly if it has i before j wherever `order` does not have that.
 * L2  Without one, `order` is happens-before, and the line has to keep it. By check/clients.h it
 *     explains all sets of edges that are possible if no single edge is that makes an order, with
 *     happens-before, that the line does not keep: one from the return of i to the call of j, where
 *     the line has something that comes after the call of j before something that returns before i
 *     does. What is possible: C1 to C3 of clients.h. A bit missing in `cause`, `global` or `barred`
 *     makes an edge possible, so that a line is not found that could be, never the reverse. `order`
 *     has to be transitive.
 *
 * All operations have returned. Sets of operations are words of points here: the call of i is bit
 * 2i, its return bit 2i + 1.
 */
#ifndef PL_GRAPH_LINE_H
#define PL_GRAPH_LINE_H

#include "graph/clients.h"

/* An execution, as clients.h has it: rows of points. */
struct pl_line_order {
    unsigned operations;
    const uint64_t *order;
    const uint64_t *cause;  /* NULL: with a global clock; then the others are not looked at */
    bool closed;            /* that is transitive */
    const uint64_t *global; /* NULL: not known, the graph would have to be asked */
    const uint32_t *barred;
    const uint64_t *own; /* of each operation: the calls of its thread */
};

/* later[i]: the calls of the operations that come after i in every line. */
void pl_line_later(const struct pl_line_order *order, uint64_t *later);
/* Those, and more: as if nothing were barred, and seq_cst ordered nothing. It costs less, and
 * mostly a line is found all the same. `cause` has to be transitive. */
void pl_line_later_or_more(const struct pl_line_order *order, uint64_t *later);

/* What the spec says of an operation with its answer in a state. */
enum pl_line_answer {
    PL_LINE_TAKEN,   /* and the state is *next */
    PL_LINE_REFUSED, /* it does not answer that */
    PL_LINE_UNKNOWN,
};
typedef enum pl_line_answer pl_line_step(void *context, uint32_t state, unsigned operation,
                                         uint32_t *next);

/* Is there a line that the spec takes, from the state `start`? False: there is none, none was found
 * within the steps it may take, or it met something that is not known. */
bool pl_line_search(const uint64_t *later, unsigned operations, uint32_t start, pl_line_step *step,
                    void *context);

#endif
