/*
 * What `run` and `replay` share: build the subject, run it, say what came of it.
 *
 * Errors of these functions end the command with verdict `error`.
 */
#ifndef PL_CLI_EXECUTE_H
#define PL_CLI_EXECUTE_H

#include <jansson.h>

#include "base/status.h"
#include "cli/session.h"
#include "cli/settings.h"
#include "cli/subject.h"
#include "report/report.h"
#include "report/suppress.h"

struct pl_execute {
    const struct pl_settings *settings;
    const char *command;
    struct pl_subject subject;
    struct pl_suppress suppress;
    struct pl_wire_options *options; /* too big for a stack */
    struct pl_session session;
    struct pl_symbols *symbols; /* NULL until something is to be named */
    json_t *warnings;
    json_t *findings;
    int json_fd, junit_fd; /* -1: no --json, no --junit */
    bool catches;          /* signals */
    /* check: what the session does not know. */
    const char *coverage, *models;
    uint64_t tests, histories;
    json_t *cases; /* of --junit; NULL: the command is one */
    json_t *more;  /* members of the result for machines; NULL: none */
    /* --preemptions: the bound last looked at; the time that those before it took. */
    uint64_t bound;
    double spent;
    struct pl_checkpoint *checkpoint; /* NULL: none */
};

/* Opens and empties what is to be written, before anything that takes long. From here on signals
   that ask us to end are only noted (interrupt.h). */
enum pl_status pl_execute_init(struct pl_execute *out, const struct pl_settings *settings,
                               const char *command, struct pl_error *error);
void pl_execute_release(struct pl_execute *execute);

/* Builds, prints warnings to stderr, resolves suppressions into options. */
enum pl_status pl_execute_build(struct pl_execute *execute, struct pl_error *error);
enum pl_status pl_execute_run(struct pl_execute *execute, const uint8_t *choices,
                              struct pl_error *error);

/* A report of a finding; opens the symbols. `saved` may be NULL. */
enum pl_status pl_execute_report(struct pl_execute *execute, const struct pl_seen *seen,
                                 const char *saved, struct pl_report *out, struct pl_error *error);

/* The one sentence of a subject that asked for what cannot be done. */
void pl_execute_refusal(struct pl_execute *execute, struct pl_error *error);

/* Under pct: the least probability of an execution to show a bug of its depth; 0: not known. */
double pl_execute_chance(const struct pl_execute *execute);
/* Prints the verdict's line, writes --json, returns the exit code. The message of an error
   goes to stderr. */
int pl_execute_conclude(struct pl_execute *execute, enum pl_verdict verdict, const char *message);
/* The same of a command that could not do its work. */
int pl_execute_fail(struct pl_execute *execute, const struct pl_error *error);

/* Appends "queue.c:41" of a return address; false: it is not known. */
bool pl_execute_line(struct pl_execute *execute, uint64_t pc, struct pl_strbuf *out);

/* The same through functions that were inlined, up to the driver's: "queue.c:12 from queue.c:41",
   with columns "queue.c:12:9 from queue.c:41:5". */
bool pl_execute_place(struct pl_execute *execute, uint64_t pc, bool columns, struct pl_strbuf *out);

/* "q.c, a.c" */
void pl_execute_inputs(const struct pl_settings *settings, struct pl_strbuf *out);

#endif
