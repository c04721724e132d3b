/*
 * A history split into the histories of objects that do not concern each other (keys of a
 * map, elements of a set). Linearizability is local: the whole is good exactly if each part is.
 *
 * Ownership: the parts' operations live in the split; values are borrowed from the whole.
 */
#ifndef PL_CHECK_PARTS_H
#define PL_CHECK_PARTS_H

#include "check/check.h"

struct pl_parts {
    struct pl_history *part; /* finished; times are the part's own */
    uint32_t count;
    struct pl_operation *operations;
    uint32_t *events;
    uint32_t *whole; /* of part[0]'s operations, then part[1]'s, …: their number in the whole */
    uint32_t *start; /* where a part's begin in it; count + 1 entries */
};

/* By key (argument[PL_KEY]) if keyed, else by spec->part. False: it cannot be split. */
bool pl_parts_split(struct pl_parts *out, const struct pl_case *c);
void pl_parts_release(struct pl_parts *parts);

/* Do two operations concern one object? */
bool pl_parts_same(const struct pl_case *c, const struct pl_operation *a,
                   const struct pl_operation *b);

/* One witness out of one for each part (NULL: nothing of it): in the order of the whole. */
void pl_parts_join(const struct pl_parts *parts, const struct pl_history *whole,
                   const struct pl_witness *part, struct pl_witness *out);

#endif
