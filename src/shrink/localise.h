/*
 * From a long history that is not linearizable to a small test that goes wrong the same way: a
 * minimum test case (Ps, Pc, Pr) of Zhang, Wu and Zhang ("Localization of Linearizability Faults
 * on the Coarse-grained Level"). Ps, the initial sequence, makes the state; Pc, the threads,
 * triggers the fault; Pr, the final sequence, reveals it.
 *
 * The history gives the candidates only. Each is explored by the caller, so whatever comes out is
 * wrong by itself, wherever it came from. First, if it overlaps many, the operation whose answer is
 * wrong with all of them; then in turn, for every few operations called one after the other near
 * those that conflict (check/explain.h):
 *   - Ps: nothing; or the calls of the witness so far, without those that leave the spec's state
 *     as it is without them;
 *   - Pc: those operations, each on its thread;
 *   - Pr: calls that show the state: every operation of the spec that changes nothing, and takes.
 * Then single calls are taken away until none can go.
 *
 * The ways of the paper go from the whole prefix instead: Ps is ever less of its witness, Pc the
 * rest; then the end of Pc becomes Pr (Algorithm 1).
 */
#ifndef PL_SHRINK_LOCALISE_H
#define PL_SHRINK_LOCALISE_H

#include "check/explain.h"
#include "plan/test.h"

enum pl_answer_of_test { PL_TEST_RIGHT, PL_TEST_WRONG, PL_TEST_OPEN /* not known */ };
typedef enum pl_answer_of_test pl_ask_test(void *context, const struct pl_test *test);

enum { PL_CALL_BY_LABEL = 0xffff };

struct pl_localise {
    const struct pl_case *history; /* bad */
    const struct pl_explanation *explanation;
    /* Of each operation: which call it is; PL_CALL_BY_LABEL: one with the same code. Then the
     * values do not matter: the first value of a test is that of the first such call, and so on. */
    const uint16_t *call;
    const struct pl_operation *operation; /* of each call: code and arguments */
    unsigned calls;
    bool whole;       /* Algorithm 1 of the paper in place of the candidates above */
    bool one_of_some; /* only where some thread makes one call (the paper's rule) */
    pl_ask_test *ask;
    void *context;
};

struct pl_located {
    bool found;
    struct pl_test test;
    bool minimal;        /* every test with one call less of Pc was explored to its end */
    unsigned candidates; /* asked, shrinking included */
    uint32_t prefix;     /* calls and returns of the shortest bad prefix */
    uint32_t operations; /* called in it */
};

void pl_localise(const struct pl_localise *how, struct pl_located *out);

#endif
