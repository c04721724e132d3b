/*
 * A process that answers questions (result/wire.h, pl_wire_question): the subject's program, or
 * another one, with other orders. It is the user's code and may crash or never answer; then there
 * is a sentence.
 *
 * Ownership: pl_answerer_release. Borrows the program's name, its arguments and the options.
 */
#ifndef PL_CLI_ANSWERER_H
#define PL_CLI_ANSWERER_H

#include "base/strbuf.h"
#include "cli/process.h"

struct pl_answerer {
    const char *program;
    char *const *argv;
    const struct pl_wire_options *options;
    double hang_seconds;
    const char *title; /* "the written spec": how its sentences begin */

    struct pl_process *process; /* NULL: not started */
    pid_t owner; /* who started it: a process that was forked since needs one of its own */
    bool failed;
    struct pl_error error; /* the first sentence */
};

/* Has it been started by this process? Otherwise it has to be, before anything is written to its
 * wire. Errors: PL_ERR_SYSTEM. */
bool pl_answerer_is_ours(const struct pl_answerer *answerer);
enum pl_status pl_answerer_start(struct pl_answerer *answerer);
/* The question is on the wire. `shown` says in a sentence what was asked. */
enum pl_status pl_answerer_ask(struct pl_answerer *answerer, const char *shown);
/* It has failed: "TITLE: SHOWN WHAT". Returns PL_ERR_INPUT. */
enum pl_status pl_answerer_fail(struct pl_answerer *answerer, const char *shown, const char *what);
void pl_answerer_release(struct pl_answerer *answerer);

#endif
