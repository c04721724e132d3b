/*
 * A smaller test that is wrong, too: fewer invocations, then fewer threads, then simpler arguments.
 *
 * Invocations are taken away one at a time (a thread without any is gone); then the invocations of
 * one thread are given to another; then an invocation is replaced by one of the same operation that
 * comes earlier in the list of calls. Whatever helps is kept, and it begins again.
 */
#ifndef PL_SHRINK_SHRINK_H
#define PL_SHRINK_SHRINK_H

#include "plan/test.h"

/* Every execution of the test was looked at, or it is not known. */
enum pl_shrink_answer { PL_IS_RIGHT, PL_IS_WRONG, PL_NOT_KNOWN };
typedef enum pl_shrink_answer pl_is_wrong(void *context, const struct pl_test *test);

/* `joins`: threads may be joined. The calls may be NULL: arguments stay as they are. Returns
 * whether the test is minimal: it is known that it is right without any one of its invocations. */
bool pl_shrink(struct pl_test *test, const struct pl_call *calls, bool joins, pl_is_wrong *is_wrong,
               void *context);

#endif
