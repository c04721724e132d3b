/*
 * Running a built subject: one or several processes side by side, watched from
 * outside (progress, time, Ctrl-C, hangs, deaths).
 *
 * Invariants:
 * I1  Without keep_going the finding reported is the one with the lowest execution
 *     number, whatever the number of jobs: the others go on until they passed it.
 * I2  A process that died took nothing with it: its wire stays.
 *
 * Ownership: findings point into wires; both live until pl_session_release.
 */
#ifndef PL_CLI_SESSION_H
#define PL_CLI_SESSION_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/status.h"
#include "cli/process.h"
#include "cli/progress.h"

struct pl_checkpoint;

struct pl_plan {
    const char *program;
    char *const *argv; /* of the subject's main, NULL at its end */
    const struct pl_wire_options *options;
    const uint8_t *choices;
    unsigned jobs;
    double seconds; /* 0: no limit */
    double hang_seconds;
    bool progress;                    /* stderr is a terminal */
    struct pl_checkpoint *checkpoint; /* NULL: the open work is not kept, and nothing is resumed */
    /* If not NULL: called again and again with every process, and once more at its end. */
    void (*watch)(void *context, struct pl_process *process);
    void *context;
};

struct pl_seen {
    const struct pl_wire_finding *finding;
    struct pl_process *process;
};

#define PL_WOKEN_ONCE ", in which no thread wakes for no reason more than once"

struct pl_session {
    struct pl_process **process;
    size_t processes;
    struct pl_seen *seen; /* sorted by execution */
    size_t findings;
    uint64_t executions, blocked, cut, steps, repeats;
    uint64_t beyond;  /* --preemptions: graphs and findings left out */
    uint64_t weak;    /* --robust: executions that are not sequentially consistent */
    size_t open;      /* pieces of work in the checkpoint */
    bool exhausted;   /* explore: there is no other execution */
    bool passing;     /* explore: but for reads of what void rounds wrote in passing */
    bool woken_once;  /* explore: --spurious, and a thread could have woken once more */
    uint32_t bounded; /* only so many values of a __VERIFIER_nondet_… were tried */
    struct pl_estimate estimate;
    uint64_t pct_length; /* explore, pct: as on the wire; 0 if any process knows none */
    uint64_t suppressed[PL_MAX_SUPPRESSIONS];
    unsigned threads;
    double took_seconds;
    bool interrupted, out_of_time;
    bool gave_up;                     /* the process died too often: the rest was not run */
    const struct pl_process *refused; /* the one whose wire->error is set */
};

enum pl_status pl_session_run(struct pl_session *out, const struct pl_plan *plan,
                              struct pl_error *error);
void pl_session_release(struct pl_session *session);

/* Seconds on a clock that only goes forward. */
double pl_now(void);

#endif
