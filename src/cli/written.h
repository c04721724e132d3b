/*
 * A spec that the user wrote in C (plumb/spec.h), as a machine. Its steps run in a process of their
 * own, the subject's program with other orders: they are the user's code and may crash. What it
 * answers is asked once for a state and a call, and kept from test to test.
 *
 * An invocation is the number of a call. A response is a number of `responses`, in a form in which
 * it does not matter whether the subject recorded an int and the spec a long.
 *
 * Errors: a step cannot fail in the middle of a decision. Then it is UNTRIED, and pl_written_failed
 * has the sentence.
 *
 * Ownership: pl_written_free. Borrows the calls.
 */
#ifndef PL_CLI_WRITTEN_H
#define PL_CLI_WRITTEN_H

#include "check/machine.h"
#include "plan/call.h"

struct pl_written;
struct pl_written_options {
    const char *program;
    char *const *argv;
    const struct pl_wire_options *options;
    const struct pl_call *calls;
    size_t count;
    double hang_seconds;
    bool has_empty;
    pl_value empty;
};

/* Starts the process. Errors: PL_ERR_INPUT: a call without a step, … */
enum pl_status pl_written_new(struct pl_written **out, const struct pl_written_options *options,
                              struct pl_error *error);
void pl_written_free(struct pl_written *written);

struct pl_machine *pl_written_machine(struct pl_written *written);
pl_value pl_written_value(struct pl_written *written, unsigned call, const uint8_t *bytes,
                          uint8_t length);
/* What an answer is that says it found nothing to do. */
bool pl_written_is_failing(const struct pl_written *written, pl_value response);
const char *pl_written_text(const struct pl_written *written, pl_value response);

/* Has something gone wrong in it? */
enum pl_status pl_written_failed(const struct pl_written *written, struct pl_error *error);

#endif
