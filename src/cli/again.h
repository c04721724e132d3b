/*
 * Does a replay show the finding that was saved? A history is wrong for what its calls answered
 * and in which order they came, and the replay only makes its execution again: the same choices in
 * a program that has changed may come to a history that is fine.
 */
#ifndef PL_CLI_AGAIN_H
#define PL_CLI_AGAIN_H

#include "cli/execute.h"
#include "cli/save.h"

/* What a history is wrong by, as a text to save: the serial runs of the test, made for it; or a
 * spec that is given, which is ours, or the user's code. The caller frees it. */
#define PL_AGAIN_GIVEN "given"
#define PL_AGAIN_CODE  "code"
enum pl_status pl_again_serial(struct pl_execute *execute, char **out, struct pl_error *error);

/* The steps that a history rests upon besides its answers and its order, as one text; the caller's
 * to free. NULL: none, or it is no history. */
char *pl_again_steps(const struct pl_wire_check *check, const char *model,
                     const struct pl_wire *wire, const struct pl_wire_finding *finding);

/* Is it the finding that the session has come to? If not, appends what is different. Findings that
 * are no history show by themselves. changed: a source has. */
enum pl_status pl_again_is_saved(struct pl_execute *execute, const struct pl_saved *saved,
                                 bool changed, bool *is, struct pl_strbuf *out,
                                 struct pl_error *error);

#endif
