/*
 * Runs compilers and linkers: posix_spawn, never a shell. What the command writes
 * goes to a file, to be shown only when it fails.
 */
#ifndef PL_BUILD_SPAWN_H
#define PL_BUILD_SPAWN_H

#include <stdbool.h>
#include <sys/types.h>

#include "base/status.h"
#include "base/strbuf.h"
#include "build/words.h"

/*
 * Starts argv (looked up in PATH) in `directory` (NULL: here) with its input
 * empty and its output in the file `log`. A command that does not exist is
 * PL_ERR_INPUT.
 */
enum pl_status pl_spawn(const struct pl_words *argv, const char *directory, const char *log,
                        pid_t *pid, struct pl_error *error);

/* Waits; returns the exit code, or 128 + the signal that ended it. `stop` (NULL: none) is set by a
 * signal handler: then the command is ended. */
int pl_spawn_wait(pid_t pid, const volatile bool *stop);

/* Appends the file to the text; a file that cannot be read adds nothing. */
void pl_spawn_read(struct pl_strbuf *text, const char *path);

#endif
