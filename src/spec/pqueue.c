/*
 * A priority queue: take answers the least value, or empty. Values are numbers.
 * State: the values, descending.
 */
#include "spec/spec.h"

/* Where a value belongs: the one to be taken next is the last. */
static uint32_t place_of(const struct pl_state *s, pl_value v)
{
    uint32_t low = 0, high = s->count;
    while (low < high) {
        uint32_t middle = low + (high - low) / 2;
        if (s->at[middle] > v)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

static bool step(const struct pl_values *values, const struct pl_state *from,
                 const struct pl_operation *o, unsigned which, struct pl_state *to,
                 pl_value *result)
{
    (void)values;
    if (which)
        return false;
    if (o->code == PL_PUT) {
        pl_state_copy(to, from, 1);
        pl_state_insert(to, place_of(to, o->argument[0]), o->argument[0]);
        *result = PL_NIL;
        return true;
    }
    if (!from->count)
        return pl_step_stay(from, o, to, PL_NIL, result);
    *result = from->at[from->count - 1];
    if (!pl_agrees(o, *result))
        return false;
    pl_state_copy(to, from, 0);
    to->count--;
    return true;
}

/* An empty take. */
static bool pure(const struct pl_operation *o)
{
    return o->code == PL_TAKE && o->result == PL_NIL;
}

static const struct pl_word words[] = {
    {"insert|put|add|push|enq|enqueue|offer", PL_PUT, 1, PL_ANSWER_NONE},
    {"take|takemin|removemin|deletemin|delmin|extractmin|popmin|pop|poll|deq|dequeue|remove|get",
     PL_TAKE, 0, PL_ANSWER_TAKE},
};

const struct pl_spec pl_spec_pqueue = {
    .name = "pqueue",
    .help = "priority queue: insert(v), take() -> the least v or empty",
    .words = {words, sizeof words / sizeof words[0]},
    .has_initial = false,
    .head = PL_HEAD_BEST,
    .start = pl_start_empty,
    .step = step,
    .pure = pure,
    .part = NULL,
};
