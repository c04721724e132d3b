/*
 * One test under one memory model: run serially, which gives the spec; explored; and every
 * history that the process sends decided while the search goes on.
 *
 * Ownership: pl_trial_release.
 */
#ifndef PL_CLI_TRIAL_H
#define PL_CLI_TRIAL_H

#include "check/derived.h"
#include "check/walk.h"
#include "check/wrapped.h"
#include "cli/against.h"
#include "cli/process.h"
#include "cli/responses.h"
#include "plan/test.h"

/* A history as it came over the wire. */
struct pl_seen_history {
    struct pl_wire_history head;
    struct pl_order order;
    struct pl_called called[PL_MOST_CALLED]; /* in the words of the spec */
    size_t answer[PL_MOST_CALLED];           /* the responses: numbers of `responses` */
    uint8_t *graph;                          /* kept only of a bad one */
};

struct pl_trial {
    const struct pl_test *test;
    const struct pl_call *calls;
    const char *model;
    struct pl_responses responses;
    struct pl_derived derived;
    struct pl_against *against; /* a spec is given: then there are no serial runs; or NULL */
    struct pl_wrapped wrapped;
    struct pl_machine *machine;          /* of one of the two */
    uint32_t invocation[PL_MOST_CALLED]; /* the machine's numbers */
    struct pl_walk *walk;
    size_t serial, histories;  /* distinct ones */
    enum pl_finding_kind kind; /* what is wrong with `bad`; NONE: nothing so far */
    struct pl_seen_history bad;
    /* The same as it was decided: without the invocations that were never called. */
    struct pl_order order;
    struct pl_called called[PL_MOST_CALLED];
    uint8_t number[PL_MOST_CALLED]; /* which invocation */
    struct pl_refuted refuted;
    struct pl_conflict conflict; /* NONDETERMINISTIC: what another run of `bad` had answered */
    bool undecided;              /* a decider did not know */
    bool malformed;
};

void pl_trial_init(struct pl_trial *trial, const struct pl_test *test, const struct pl_call *calls,
                   const char *model, struct pl_against *against);
/* A response in the words of the spec, as text. */
void pl_trial_text(const struct pl_trial *trial, pl_value response, struct pl_strbuf *out);
void pl_trial_release(struct pl_trial *trial);

/* The wire's options for it. */
void pl_trial_options(const struct pl_trial *trial, struct pl_wire_options *options);

/* Takes what the process has sent; asks it to stop when something is wrong. For pl_plan.watch. */
void pl_trial_take(void *trial, struct pl_process *process);

#endif
