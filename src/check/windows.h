/*
 * A history decided in windows while it grows. A window ends at a quiescent moment: every
 * operation called in it has returned, and none of the next was called. What is decided is the
 * history from its beginning, yet only what matters of it is kept:
 *
 *     ... window | window   window | window  ...
 *                ^                 ^
 *                a cut with one state       a cut with several: all of them are carried
 *
 * A cut carries every state that an order of the operations before it can lead to; the next
 * window is good if it is from one of them. The state of one witness alone would give false
 * violations: two writes at the same time leave either value. Where the states cannot be told
 * within a bound, no cut is made, and the next window is decided together with this one.
 *
 * How all states are told:
 *   - the last operation, alone, took nothing from a container: it is empty;
 *   - what is in a set, bag, priority queue, or counter follows from the answers, whatever the
 *     order (`counted` in windows.c);
 *   - else all orders are searched, within a bound (pl_decide_ends).
 *
 * Invariants:
 * I1  from.state are exactly the states that the windows before `cut` can leave.
 * I2  whole is the operations that make the state at the last cut with one state, one after
 *     the other, and all windows since: it is good exactly if the history from its beginning is.
 *
 * Ownership: pl_windows_release. `whole` stays the windows'.
 */
#ifndef PL_CHECK_WINDOWS_H
#define PL_CHECK_WINDOWS_H

#include "check/check.h"

struct pl_windows {
    const struct pl_spec *spec;
    struct pl_ends from;     /* at the last cut */
    struct pl_history whole; /* its values are those of all windows */
    pl_value initial;        /* of whole */
    uint32_t cut;            /* operations of whole before the last cut */
    uint64_t cuts, carried;  /* made; of those, with more than one state */
    bool begun;
};

void pl_windows_init(struct pl_windows *windows, const struct pl_spec *spec, pl_value initial);
void pl_windows_release(struct pl_windows *windows);

/*
 * Adds a window, finished; its operations keep their threads and lines. GOOD, or BAD: see I2; or
 * NEITHER: then nothing can be said of the windows after it either. A last window may have pending
 * operations, and no cut is looked for after it.
 */
enum pl_decision pl_windows_add(struct pl_windows *windows, const struct pl_history *window,
                                bool last, const struct pl_budget *budget);

/* `whole` and a window that has not been added; pl_history_release. */
void pl_windows_with(const struct pl_windows *windows, const struct pl_history *window,
                     struct pl_history *out);

#endif
