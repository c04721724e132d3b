/*
 * A bad history decided again in parts, to explain it: some of its operations, or its first
 * events. Deciding may need the search; an allowance of steps bounds what is spent on it in all,
 * the same on every machine.
 */
#ifndef PL_CHECK_CUT_H
#define PL_CHECK_CUT_H

#include "check/check.h"

struct pl_cuts {
    const struct pl_case *c;
    unsigned jobs;
    uint64_t steps; /* that searches may still make */
};

/* The history of some operations (all: NULL) up to an event; what has not returned by then is
   pending. Release with pl_cut_release. `hint`: their answers in the whole; may be NULL. */
void pl_cut_make(const struct pl_history *whole, const bool *wanted, uint32_t events,
                 struct pl_history *out, pl_value *hint);
void pl_cut_release(struct pl_history *cut);

/* Without `wanted` no operation is copied: while it is decided, those of the whole that are open at
   the end are pending; afterwards they are as before.
   NEITHER: the allowance or the budget is spent. GOOD, and all are wanted: `kept` (may be NULL)
   says which operations the order found has, with the answers of the whole. */
enum pl_decision pl_cut_decide(struct pl_cuts *cuts, const bool *wanted, uint32_t events,
                               struct pl_check_how *how, bool *kept);

/* prefix.c: how many events the shortest bad prefix has; true if it surely is the shortest. `how`
   the whole was decided. */
bool pl_find_prefix(struct pl_cuts *cuts, const struct pl_check_how *how, uint32_t *events);

#endif
