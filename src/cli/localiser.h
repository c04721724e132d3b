/*
 * From a long bad history of an object to a small test of it, explored and shown: the work of
 * `plumb localise`, and of `plumb stress` after a violation.
 */
#ifndef PL_CLI_LOCALISER_H
#define PL_CLI_LOCALISER_H

#include "cli/checker.h"
#include "shrink/localise.h"

#define PL_METHOD_WORDS "explore|basic|dpct|heuristic"
enum pl_method { PL_METHOD_EXPLORE, PL_METHOD_BASIC, PL_METHOD_DPCT, PL_METHOD_HEURISTIC };

/* How the executions of a test are chosen, and how many at most. No strategy: in the explorer's
 * order; no number: every one. */
struct pl_drawing {
    uint8_t strategy, depth;
    uint64_t most;
};

struct pl_localising {
    unsigned method; /* enum pl_method */
    uint64_t repeat; /* executions of a test, where they are sampled; 0: the usual number */
    double seconds;  /* for all tests; 0: the usual time */
    /* What came of it: */
    bool found;
    struct pl_located located;
    const char *model;
    struct pl_drawing drawing; /* the executions that show it */
};

/* Looks for the test; what came of it is in `how`. Nothing is shown. */
void pl_localise_find(struct pl_checker *checker, const struct pl_case *history,
                      const uint16_t *call, struct pl_localising *how);
/* Runs a test under D-PCT of this depth; was it found wrong? */
bool pl_localise_sample(struct pl_checker *checker, const struct pl_test *test, unsigned depth,
                        uint64_t executions, uint64_t seed);

/* The object is prepared; `call` says of each operation of the history which call it is. What was
 * found is shown, saved and added to the JSON; that nothing was is said. */
enum pl_status pl_localise_history(struct pl_checker *checker, const struct pl_case *history,
                                   const uint16_t *call, struct pl_localising *how,
                                   struct pl_error *error);

#endif
