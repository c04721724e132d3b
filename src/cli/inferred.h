/*
 * --infer-points: which accesses of an operation serve as its linearization point.
 *
 * An access serves in an execution if all its histories are linearizable, too, when the operation
 * is called just before the access and returns just after it. It is known by its line and
 * what it does (a compare-exchange that fails is another than one that succeeds); of several in one
 * call the last one counts, as of marks. Proposed is what was there and served in every call of the
 * operation in every execution; each operation by itself.
 */
#ifndef PL_CLI_INFERRED_H
#define PL_CLI_INFERRED_H

#include <jansson.h>

#include "cli/trial.h"

struct pl_inferred;

struct pl_inferred *pl_inferred_new(void);
void pl_inferred_free(struct pl_inferred *inferred); /* may be NULL */

/* The candidates of a record: how many bytes they are; 0: they do not hold together. */
size_t pl_inferred_read(struct pl_seen_history *out, const uint8_t *bytes, size_t room);

/* A history that is fine, all of whose operations of this judge are selected. */
void pl_inferred_add(struct pl_inferred *inferred, struct pl_trial *trial,
                     const struct pl_judge *judge, const struct pl_bad *bad,
                     const struct pl_behaviour *behaviour);

/* For machines; the same as lines for people. */
json_t *pl_inferred_json(const struct pl_inferred *inferred, struct pl_execute *execute);
void pl_inferred_print(const struct pl_inferred *inferred, const json_t *result);

#endif
