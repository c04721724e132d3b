/* Files a command writes: opened before anything that takes long, replaced as a whole. */
#ifndef PL_CLI_OUTPUT_H
#define PL_CLI_OUTPUT_H

#include <jansson.h>
#include <stdbool.h>
#include <stddef.h>

#include "base/status.h"

/* A file that can be written is there, or can be made. It is not emptied yet. `--json -` is
 * standard output; what is printed goes to standard error from then on. */
enum pl_status pl_output_open(const char *option, const char *file, int *fd,
                              struct pl_error *error);

/* The whole content; false with errno set. */
bool pl_output_write(int fd, const char *text, size_t length);
bool pl_output_json(int fd, json_t *object);

#endif
