/*
 * A file or a pipe, read in pieces: a window of the text moves along. What a reader is
 * looking at stays in the window until it moves on.
 */
#ifndef PL_HISTORY_INPUT_H
#define PL_HISTORY_INPUT_H

#include "base/status.h"
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct pl_input {
    const char *name; /* for messages */
    int fd;
    const volatile bool *stop; /* Ctrl-C: ends a wait for more; may be NULL */
    char *text;                /* the window: [at, end) is not yet read; *end is NUL */
    size_t at, end, room;
    bool ended; /* there is nothing after the window */
    uint32_t line;
    size_t line_start; /* of the line that `at` is in, relative to text; may have wrapped */
};

enum pl_status pl_input_open(struct pl_input *out, const char *file, struct pl_error *error);
void pl_input_close(struct pl_input *input);

/* More text after the window; from `at` on nothing is lost. */
enum pl_status pl_input_more(struct pl_input *input, struct pl_error *error);

/* "file:line:column: …", for the place in the window. */
enum pl_status pl_input_fail(const struct pl_input *input, size_t place, struct pl_error *error,
                             const char *format, ...) __attribute__((format(printf, 4, 5)));

#endif
