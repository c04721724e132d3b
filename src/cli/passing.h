/* Values that void rounds write in passing, and what could race with void rounds, as the processes
 * of a search have noted them (explore/passing.c and left_out.c say what of). */
#ifndef PL_CLI_PASSING_H
#define PL_CLI_PASSING_H

#include <stdbool.h>

#include "result/wire.h"

void pl_passing_add(struct pl_passing *to, const struct pl_passing *more);
/* Could such a value have been read where that is not explored? */
bool pl_passing_is_missed(const struct pl_passing *p);
/* Could there be races with rounds that were left out (explore/left_out.c)? */
bool pl_passing_may_race(const struct pl_passing *p);
/* The sentence for values: what was not explored, and what would explore it. `unroll` is what was
 * given, 0 if nothing. */
const char *pl_passing_text(uint64_t unroll);

#endif
