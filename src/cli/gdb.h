/* plumb replay --gdb: the debugger on the saved execution, stopped where it fails. */
#ifndef PL_CLI_GDB_H
#define PL_CLI_GDB_H

#include <stdbool.h>

#include "cli/execute.h"

/* Runs gdb to its end; returns its exit code. The wire lies in the subject's directory. */
enum pl_status pl_gdb(struct pl_execute *execute, const uint8_t *choices, bool batch, int *code,
                      struct pl_error *error);

#endif
