/* One line for all histories: line.h. */
#include "graph/line.h"

#include <string.h>

enum { MOST_STEPS = 128 };

#define CALLS ((uint64_t)0x5555555555555555)

static uint64_t all_calls(unsigned operations)
{
    return (((uint64_t)1 << 2 * operations) - 1) & CALLS;
}

static uint64_t call_of(unsigned operation)
{
    return (uint64_t)1 << 2 * operation;
}

/* The lowest operation of a set that is not empty, of calls or of returns. */
static unsigned first_of(uint64_t points)
{
    return (unsigned)__builtin_ctzll(points) / 2;
}

/* Bit i to bit 2i: operations as calls. */
static uint64_t spread(uint32_t operations)
{
    uint64_t x = operations;
    x = (x | x << 16) & 0x0000ffff0000ffff;
    x = (x | x << 8) & 0x00ff00ff00ff00ff;
    x = (x | x << 4) & 0x0f0f0f0f0f0f0f0f;
    x = (x | x << 2) & 0x3333333333333333;
    return (x | x << 1) & CALLS;
}

/* ---- what must come after what ---- */

/* What is known of an execution without a global clock. */
struct weak {
    uint64_t follow[PL_GRAPH_CALLS]; /* calls that come no earlier than that of each */
    uint64_t barred[PL_GRAPH_CALLS]; /* returns from which no edge may lead to those */
};

static void find_weak(const struct pl_line_order *o, struct weak *w)
{
    uint64_t barred[PL_GRAPH_CALLS];
    for (unsigned i = 0; i < o->operations; i++) {
        w->follow[i] = call_of(i);
        w->barred[i] = barred[i] = spread(o->barred[i]) << 1;
    }
    for (unsigned k = 0; k < o->operations; k++)
        for (uint64_t rest = o->order[2 * k] & CALLS; rest; rest &= rest - 1) {
            w->follow[first_of(rest)] |= call_of(k);
            w->barred[first_of(rest)] |= barred[k];
        }
}

/* By L2 an edge from i to j asks for all that returns no later than i before all that is called no
 * earlier than j. */
static void find_later_weakly(const struct pl_line_order *o, uint64_t *later)
{
    struct weak w;
    find_weak(o, &w);
    for (unsigned i = 0; i < o->operations; i++) {
        uint64_t possible = all_calls(o->operations) & ~(o->own[i] | o->cause[2 * i + 1]);
        uint64_t gain = (o->order[2 * i + 1] & ~CALLS) | call_of(i) << 1, follow = 0;
        if (o->global)
            possible &= ~o->global[2 * i + 1];
        while (possible) {
            unsigned j = first_of(possible);
            possible &= possible - 1;
            if (w.barred[j] & gain)
                continue;
            follow |= w.follow[j];
            possible &= ~w.follow[j]; /* they add nothing: `order` is transitive */
        }
        for (; gain && follow; gain &= gain - 1)
            later[first_of(gain)] |= follow;
        for (uint64_t rest = o->order[2 * i] & ~CALLS; rest; rest &= rest - 1)
            later[first_of(rest)] |= call_of(i);
    }
}

/* An edge is possible wherever `cause` does not have the call before the return. Then so are all
 * those that L2 asks for because of it: if i' returns before i does, and j' is called after j, the
 * call of j' before the return of i' would be that of j before that of i. */
void pl_line_later_or_more(const struct pl_line_order *o, uint64_t *later)
{
    const uint64_t *cause = o->cause ? o->cause : o->order;
    for (unsigned i = 0; i < o->operations; i++)
        later[i] = all_calls(o->operations) & ~cause[2 * i + 1];
}

void pl_line_later(const struct pl_line_order *o, uint64_t *later)
{
    if (!o->cause) {
        pl_line_later_or_more(o, later);
        return;
    }
    memset(later, 0, o->operations * sizeof *later);
    find_later_weakly(o, later);
}

/* ---- a line that the spec takes ---- */

/* Of the operations that are left, those that may come first. */
static uint64_t candidates(const uint64_t *later, uint64_t left)
{
    uint64_t blocked = 0;
    for (uint64_t rest = left; rest; rest &= rest - 1)
        blocked |= later[first_of(rest)];
    return left & ~blocked;
}

bool pl_line_search(const uint64_t *later, unsigned operations, uint32_t start, pl_line_step *step,
                    void *context)
{
    uint64_t left[PL_GRAPH_CALLS + 1], untried[PL_GRAPH_CALLS + 1];
    uint32_t state[PL_GRAPH_CALLS + 1];
    unsigned length = 0, steps = 0;
    state[0] = start;
    left[0] = all_calls(operations);
    untried[0] = candidates(later, left[0]);
    while (left[length]) {
        if (!untried[length]) {
            if (!length--)
                return false;
            continue;
        }
        unsigned i = first_of(untried[length]);
        untried[length] &= untried[length] - 1;
        if (++steps > MOST_STEPS)
            return false;
        enum pl_line_answer answer = step(context, state[length], i, &state[length + 1]);
        if (answer == PL_LINE_UNKNOWN)
            return false;
        if (answer == PL_LINE_REFUSED)
            continue;
        left[length + 1] = left[length] & ~call_of(i);
        length++;
        untried[length] = candidates(later, left[length]);
    }
    return true;
}
