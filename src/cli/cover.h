/*
 * Which lines and branches of the subject were reached by any execution: from the table that the
 * own front end puts into the program (src/instrument/cover.h) and the bytes of the wire.
 *
 * A line was reached if some block with code of it was; a branch is reported if its block was
 * reached and one of its two ways never taken.
 *
 * Ownership: pl_cover_free.
 */
#ifndef PL_CLI_COVER_H
#define PL_CLI_COVER_H

#include <jansson.h>

#include "base/status.h"
#include "cli/options.h"
#include "result/wire.h"

struct pl_cover;

/* NULL in *out: the program has no table (an accepted object), nothing is known. The inputs are
 * how the user calls the files; files of `work` are ours. */
enum pl_status pl_cover_open(struct pl_cover **out, const char *program, const char *work,
                             const struct pl_texts *inputs, struct pl_error *error);
void pl_cover_free(struct pl_cover *cover);

/* Adds what a process reached. The sums are shared with processes forked after pl_cover_open. */
void pl_cover_add(struct pl_cover *cover, const struct pl_wire *wire);

/* Prints lines: "not reached by any test: queue.c:52 (resize)". */
void pl_cover_print(const struct pl_cover *cover);
/* { "lines": 40, "not_reached": [{file, line, function}], "branches": …, "never": [...] } */
json_t *pl_cover_json(const struct pl_cover *cover);

#endif
