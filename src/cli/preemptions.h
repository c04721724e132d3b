/*
 * --preemptions N: the executions that no preemption is needed for, then those that need one, and
 * so on up to N, until something is found. A bound that leaves nothing out ends it.
 */
#ifndef PL_CLI_PREEMPTIONS_H
#define PL_CLI_PREEMPTIONS_H

#include "cli/execute.h"

/* In place of pl_execute_run. */
enum pl_status pl_preemptions_run(struct pl_execute *execute, struct pl_error *error);
/* " with at most 2 preemptions"; nothing when these were all executions. */
void pl_preemptions_add(const struct pl_execute *execute, struct pl_strbuf *out);
/* " with 1 preemption, none with fewer": of the finding that is shown first. */
void pl_preemptions_found(const struct pl_execute *execute, struct pl_strbuf *out);

#endif
