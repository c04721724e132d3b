/*
 * The words of a result: verdicts and kinds of finding. Each is listed once, here.
 * The texts are the ones of --json (DESIGN 4.7) and never change.
 */
#ifndef PL_RESULT_FINDING_H
#define PL_RESULT_FINDING_H

/* X(name, text of --json, headline of the report) */
#define PL_FINDING_TABLE(X)                                                                        \
    X(NONE, "none", "nothing found")                                                               \
    X(DATA_RACE, "data-race", "DATA RACE")                                                         \
    X(UNINITIALISED_READ, "uninitialised-read", "UNINITIALISED READ")                              \
    X(USE_AFTER_FREE, "use-after-free", "USE AFTER FREE")                                          \
    X(DOUBLE_FREE, "double-free", "DOUBLE FREE")                                                   \
    X(INVALID_FREE, "invalid-free", "INVALID FREE")                                                \
    X(OUT_OF_BOUNDS, "out-of-bounds", "OUT OF BOUNDS")                                             \
    X(LEAK, "leak", "LEAK")                                                                        \
    X(DEADLOCK, "deadlock", "DEADLOCK")                                                            \
    X(LIVELOCK, "livelock", "LIVELOCK")                                                            \
    X(HANG, "hang", "HANG")                                                                        \
    X(ASSERTION, "assertion", "ASSERTION FAILED")                                                  \
    X(CRASH, "crash", "CRASH")                                                                     \
    X(STACK_OVERFLOW, "stack-overflow", "STACK OVERFLOW")                                          \
    X(EXIT, "exit", "EXIT")                                                                        \
    X(NOT_LINEARIZABLE, "not-linearizable", "NOT LINEARIZABLE")                                    \
    X(NOT_QUASI_LINEARIZABLE, "not-quasi-linearizable", "NOT QUASI LINEARIZABLE")                  \
    X(POINT_MISMATCH, "point-mismatch", "POINT MISMATCH")                                          \
    X(STUCK, "stuck", "STUCK")                                                                     \
    X(NONDETERMINISTIC, "nondeterministic", "NOT DETERMINISTIC")                                   \
    X(UNPUBLISHED, "unpublished", "NOT PUBLISHED")                                                 \
    X(INVARIANT, "invariant", "INVARIANT BROKEN")                                                  \
    X(WEAK, "not-sequentially-consistent", "NOT SEQUENTIALLY CONSISTENT")

enum pl_finding_kind {
#define X(name, text, headline) PL_FINDING_##name,
    PL_FINDING_TABLE(X)
#undef X
        PL_FINDING_COUNT
};

/* Nobody can go on: who waits for what is part of the finding. */
static inline int pl_finding_is_stuck(unsigned kind)
{
    return kind == PL_FINDING_DEADLOCK || kind == PL_FINDING_LIVELOCK;
}

/* X(name, text of --json, exit code) */
#define PL_VERDICT_TABLE(X)                                                                        \
    X(PASS, "pass", 0)                                                                             \
    X(VIOLATION, "violation", 1)                                                                   \
    X(ERROR, "error", 2)                                                                           \
    X(UNKNOWN, "unknown", 3)

enum pl_verdict {
#define X(name, text, code) PL_VERDICT_##name = (code),
    PL_VERDICT_TABLE(X)
#undef X
};

const char *pl_finding_text(enum pl_finding_kind kind);
const char *pl_finding_headline(enum pl_finding_kind kind);
const char *pl_verdict_text(enum pl_verdict verdict);

#endif
