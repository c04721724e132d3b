/* One line for all histories: line.h. */
#include "check/line.h"

#include <string.h>

#include "check/client_sets.h"

enum { MOST_STEPS = 128 };

/* What is known of an execution without a global clock. */
struct weak {
    uint32_t gain[PL_MOST_CALLED];   /* those that return no later than each */
    uint32_t follow[PL_MOST_CALLED]; /* those that are called no earlier */
    uint32_t barred[PL_MOST_CALLED]; /* returns from which no edge may lead to those */
};

/* ---- what must come before what ---- */

static void add_after(uint32_t *must, uint64_t calls, unsigned i)
{
    for (; calls; calls &= calls - 1)
        must[__builtin_ctzll(calls) / 2] |= (uint32_t)1 << i;
}

/* must[j]: the operations that come before j in every line. */
static void find_must(const struct pl_line_order *o, uint32_t *must)
{
    uint64_t all = (((uint64_t)1 << 2 * o->operations) - 1) & PL_CALL_EVENTS;
    for (unsigned i = 0; i < o->operations; i++)
        add_after(must, all & ~o->order[2 * i + 1], i);
}

static uint32_t operations_of(uint64_t points)
{
    uint32_t set = 0;
    for (; points; points &= points - 1)
        set |= (uint32_t)1 << __builtin_ctzll(points) / 2;
    return set;
}

static void find_weak(const struct pl_line_order *o, struct weak *w)
{
    memcpy(w->barred, o->barred, o->operations * sizeof *w->barred);
    for (unsigned i = 0; i < o->operations; i++)
        w->follow[i] = (uint32_t)1 << i;
    for (unsigned k = 0; k < o->operations; k++) {
        w->gain[k] = operations_of(o->order[2 * k + 1] & ~PL_CALL_EVENTS) | (uint32_t)1 << k;
        for (uint64_t rest = o->order[2 * k] & PL_CALL_EVENTS; rest; rest &= rest - 1) {
            unsigned j = (unsigned)__builtin_ctzll(rest) / 2;
            w->follow[j] |= (uint32_t)1 << k;
            w->barred[j] |= o->barred[k];
        }
    }
}

/* The edges that may lead from the return of i: calls. */
static uint64_t possible_from(const struct pl_line_order *o, const struct weak *w, unsigned i)
{
    uint64_t all = (((uint64_t)1 << 2 * o->operations) - 1) & PL_CALL_EVENTS;
    uint64_t possible = all & ~(o->own[i] | o->cause[2 * i + 1]);
    if (o->global)
        possible &= ~o->global[2 * i + 1];
    for (uint64_t rest = possible; rest; rest &= rest - 1)
        if (w->barred[__builtin_ctzll(rest) / 2] & w->gain[i])
            possible ^= rest & -rest;
    return possible;
}

/* By L2 an edge from i to j asks for all that returns no later than i before all that is called no
 * earlier than j. */
static void find_must_weakly(const struct pl_line_order *o, uint32_t *must)
{
    struct weak w;
    find_weak(o, &w);
    for (unsigned i = 0; i < o->operations; i++) {
        uint32_t later = 0;
        for (uint64_t rest = possible_from(o, &w, i); rest; rest &= rest - 1)
            later |= w.follow[__builtin_ctzll(rest) / 2];
        for (; later; later &= later - 1)
            must[__builtin_ctz(later)] |= w.gain[i];
        must[i] |= operations_of(o->order[2 * i] & ~PL_CALL_EVENTS);
    }
}

/* ---- a line that the machine takes ---- */

static bool takes(struct pl_machine *machine, uint32_t state, const struct pl_called *called,
                  uint32_t *next)
{
    pl_value response;
    for (unsigned which = 0;; which++) {
        enum pl_step step = pl_step(machine, state, called->invocation, which, &response, next);
        if (step == PL_STEP_END)
            return false;
        if (step == PL_STEP_ANSWERS && (called->response == PL_ANY || called->response == response))
            return true;
    }
}

static uint32_t candidates(const uint32_t *must, unsigned operations, uint32_t placed)
{
    uint32_t set = 0;
    for (unsigned i = 0; i < operations; i++)
        set |= (uint32_t) !(must[i] & ~placed) << i;
    return set & ~placed;
}

bool pl_line_explains(const struct pl_line_order *o, struct pl_machine *machine,
                      const struct pl_called *called)
{
    uint32_t must[PL_MOST_CALLED] = {0}, state[PL_MOST_CALLED + 1], left[PL_MOST_CALLED + 1],
             placed[PL_MOST_CALLED + 1];
    unsigned length = 0, steps = 0;
    if (o->cause)
        find_must_weakly(o, must);
    else
        find_must(o, must);
    state[0] = machine->start;
    placed[0] = 0;
    left[0] = candidates(must, o->operations, 0);
    while (length < o->operations) {
        if (!left[length]) {
            if (!length--)
                return false;
            continue;
        }
        unsigned i = (unsigned)__builtin_ctz(left[length]);
        left[length] &= left[length] - 1;
        if (++steps > MOST_STEPS)
            return false;
        if (!takes(machine, state[length], &called[i], &state[length + 1]))
            continue;
        placed[length + 1] = placed[length] | (uint32_t)1 << i;
        length++;
        left[length] = candidates(must, o->operations, placed[length]);
    }
    return true;
}
