/* A smaller test that is wrong, too. */
#ifndef PL_SHRINK_SHRINK_H
#define PL_SHRINK_SHRINK_H

#include "plan/test.h"

/* Is the test wrong? Every execution of it is looked at, or it is not known (false). */
typedef bool pl_is_wrong(void *context, const struct pl_test *test);

/*
 * Takes invocations away, one at a time, as long as the test stays wrong; a thread without any is
 * gone. In the end none can go: the test is minimal if every question was answered.
 */
void pl_shrink(struct pl_test *test, pl_is_wrong *is_wrong, void *context);

#endif
