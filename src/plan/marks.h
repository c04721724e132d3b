/*
 * Marks of operations, and the tests that respect them.
 *
 *   group push,pop     only one thread calls these (main may, before and after the threads)
 *   limit close=1      at most so many calls in a test, initial and final sequence included
 *   blocking, may-fail, late, data-independent: see docs/check.md
 *
 * Operations are named by name, `push`, which means all its invocations, or as `push(1)`.
 */
#ifndef PL_PLAN_MARKS_H
#define PL_PLAN_MARKS_H

#include "plan/test.h"

/* Marks the operations named in `text`. `from` names the option or line in errors: PL_ERR_INPUT. */
enum pl_status pl_marks_add(const char *kind, const char *text, const char *from,
                            struct pl_call *calls, size_t count, struct pl_error *error);

/* Does the test respect groups and limits? If not: the sentence, PL_ERR_INPUT; error may be NULL.
 */
enum pl_status pl_marks_check(const struct pl_test *test, const struct pl_call *calls,
                              struct pl_error *error);
/* Are there any groups or limits? */
bool pl_marks_restrict(const struct pl_call *calls, size_t count);

/*
 * Cells of a random test that respects them: each group gets a thread, then each cell an operation
 * that its thread may call. False: none was found in many tries, there may be none.
 */
bool pl_marks_draw(uint8_t *cells, unsigned threads, unsigned length, const struct pl_call *calls,
                   unsigned count, const struct pl_test *like, struct pl_prng *prng);

#endif
