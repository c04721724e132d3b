/*
 * Equal values told apart. Where an operation is data-independent, which value it is given does not
 * change what happens; so a test with two equal values has just the executions of one with two
 * different ones, but an answer then tells which of the two it was: an error that hides behind
 * equal values shows (du Toit's thesis, 3.5.3). Nothing is lost, for what the equal values show
 * is what the different ones show with names left out.
 */
#ifndef PL_PLAN_DISTINCT_H
#define PL_PLAN_DISTINCT_H

#include "plan/test.h"

/* The one number a call is given; false: it has none, or several. */
bool pl_call_value(const struct pl_call *call, int64_t *value);

/* Are two values equal that would be told apart? */
bool pl_has_equals(const struct pl_test *test, const struct pl_call *calls, size_t count);
/* Gives an invocation whose value another has, too, a call of the same operation with a value that
 * nobody has, as long as there is one. */
void pl_distinct(struct pl_test *test, const struct pl_call *calls, size_t count);

#endif
