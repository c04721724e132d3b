/*
 * One process of the subject: its wire, its start, what it was like when it ran.
 *
 * Invariants:
 * I1  The process does not outlive the tool, and Ctrl-C at the terminal reaches the
 *     tool only (it has a process group of its own).
 * I2  Its addresses are not randomised where the system allows that.
 *
 * Ownership: pl_process_free unmaps the wire; findings point into it until then.
 */
#ifndef PL_CLI_PROCESS_H
#define PL_CLI_PROCESS_H

#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

#include "base/status.h"
#include "base/strbuf.h"
#include "result/wire.h"

struct pl_process {
    pid_t pid;
    struct pl_wire *wire;
    int wire_fd, error_fd, facts_fd; /* facts: another's, or -1 */
    bool ended;
    int status; /* as of waitpid */
};

/* Makes the wire (in memory, or at `path`) with these options and choices; starts nothing. */
enum pl_status pl_process_new(struct pl_process **out, const char *path,
                              const struct pl_wire_options *options, const uint8_t *choices,
                              struct pl_error *error);
enum pl_status pl_process_start(struct pl_process *process, const char *program, char *const *argv,
                                struct pl_error *error);
void pl_process_free(struct pl_process *process);

/* The processor's time it has used. */
double pl_process_cpu_seconds(const struct pl_process *p);
/* Has it ended? Does not wait. */
bool pl_process_poll(struct pl_process *process);
void pl_process_kill(struct pl_process *process); /* and waits */

/* What it wrote to its own stderr (the loader's complaint when it could not start). */
void pl_process_errors(const struct pl_process *process, struct pl_strbuf *out);

/* The process is dead: writes into its wire the finding it can no longer write itself. */
void pl_process_add_finding(struct pl_process *process, enum pl_finding_kind kind, unsigned code,
                            const char *text);

#endif
