/*
 * --relax: a queue, stack or priority queue whose takes need not answer the head.
 *
 *     --relax out-of-order=2              of the first three, counted from the head
 *     --relax lateness=2                  anything, but the head at least every third time
 *     --relax out-of-order=2,lateness=2   both
 *     --relax strict=2                    both, but lateness counts since the head became it
 *     …,empty=1                           "empty" with at most one value left is right, too
 *
 * It is the spec that is relaxed (spec/relaxation.h), not the criterion.
 */
#ifndef PL_CLI_LOOSENED_H
#define PL_CLI_LOOSENED_H

#include <jansson.h>

#include "base/status.h"
#include "base/strbuf.h"
#include "spec/relaxation.h"

/* Errors: PL_ERR_INPUT. */
enum pl_status pl_loosened_read(const char *text, struct pl_relaxation *out,
                                struct pl_error *error);

/* --find-factor: the number of the one way that is given, 0, is where it begins. Errors:
 * PL_ERR_INPUT if it cannot. */
enum pl_status pl_loosened_begin(const struct pl_relaxation *relaxation, struct pl_error *error);
/* One more; false if it is `most` already. */
bool pl_loosened_more(struct pl_relaxation *relaxation, unsigned most);

/* "takes at most 2 from the head, the head in every 3 takes". */
void pl_loosened_print(const struct pl_relaxation *relaxation, struct pl_strbuf *out);
/* As it is given: "out-of-order=2,lateness=1". */
void pl_loosened_write(const struct pl_relaxation *relaxation, struct pl_strbuf *out);
/* As given: {"out-of-order": 2}. */
json_t *pl_loosened_json(const struct pl_relaxation *relaxation);

#endif
