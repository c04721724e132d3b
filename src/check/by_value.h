/*
 * Bad histories of containers and registers by their values: everything about one value can be
 * left out of a good one, and it stays good. So few values near an event that is suspect are
 * looked at alone, and more if those are good; what is bad there is bad in the whole.
 */
#ifndef PL_CHECK_BY_VALUE_H
#define PL_CHECK_BY_VALUE_H

#include "check/cut.h"

/* Is it so, of this history? Not if a take has returned with an unknown value: without the one it
   took it would have to find another. */
bool pl_has_values(const struct pl_case *c);

struct pl_conflict {
    bool *wanted;   /* which operations: the caller's, one for each */
    uint32_t count; /* of them */
    bool minimal;   /* no value can be left out; else perhaps */
};

/* Few operations of a bad history that are bad by themselves: about values near the event `around`
   if possible. */
void pl_find_conflict(struct pl_cuts *cuts, uint32_t around, struct pl_conflict *out);

/* Of the first `events` events, which are bad: with how many it is bad already, for the values that
   are near the event `around`. Others may be bad with fewer. */
uint32_t pl_bad_at_most(struct pl_cuts *cuts, uint32_t events, uint32_t around);

#endif
