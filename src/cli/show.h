/* Prints a finding, saves it, adds it to the JSON: for commands that find something. */
#ifndef PL_CLI_SHOW_H
#define PL_CLI_SHOW_H

#include "cli/execute.h"

/* `number`: of the findings shown before it; `message`: its sentence. */
enum pl_status pl_show_finding(struct pl_execute *execute, const struct pl_seen *seen,
                               const char *message, size_t number, struct pl_error *error);

#endif
