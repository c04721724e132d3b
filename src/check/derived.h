/*
 * A spec derived from serial runs: a tree whose nodes are what has happened so far.
 *
 *     start ── inc → ok ──┬── get → 1
 *                         └── dec → ok ── dec blocks
 *
 * Each run is a sequence of invocations with their responses; it is complete, or its last
 * invocation blocked. Two runs that give different answers to the same invocation after the
 * same beginning contradict each other: the subject is nondeterministic (Line-Up, definition 4).
 * Both answers are kept, so that one may go on. They do not if the operation may fail at any time
 * and failed in one of them (pl_called.failed); so may what is not to be held against others.
 *
 * An invocation that no run made after some beginning is UNTRIED there.
 *
 * Invariants: the state of `machine` is the number of a node. After pl_derived_fold nodes from
 * which the same things follow are one, and no run can be added.
 */
#ifndef PL_CHECK_DERIVED_H
#define PL_CHECK_DERIVED_H

#include "check/behaviour.h"
#include "check/machine.h"

struct pl_derived {
    struct pl_machine machine; /* first */
    struct pl_derived_edge {
        uint32_t invocation;
        uint32_t next;  /* edge of the same node + 1; 0: none */
        uint32_t child; /* of an answer */
        bool blocks, failed;
        pl_value response;
    } * edge;
    uint32_t edges, edge_room;
    uint32_t *first; /* of each node: its first edge + 1 */
    uint32_t nodes, node_room;
    bool folded;
};

/* Two answers to the same: after the first `place` invocations of the run. */
struct pl_conflict {
    unsigned place;
    bool blocked;    /* what was known before: it blocked, */
    pl_value answer; /* or it gave this answer */
};

void pl_derived_init(struct pl_derived *derived);
void pl_derived_release(struct pl_derived *derived);

/*
 * Adds a run. With `blocked` the last invocation of it did not return. False if the run
 * contradicts an earlier one; *conflict says where (it may be NULL).
 */
bool pl_derived_add(struct pl_derived *derived, const struct pl_called *run, unsigned count,
                    bool blocked, struct pl_conflict *conflict);

/* Makes the tree small. Of use before many behaviours are decided. */
void pl_derived_fold(struct pl_derived *derived);

#endif
