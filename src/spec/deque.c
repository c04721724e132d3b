/*
 * A queue with two ends, left and right; a pop answers empty when there is nothing.
 * State: the values, left to right.
 */
#include "spec/spec.h"

static bool step(const struct pl_values *values, const struct pl_state *from,
                 const struct pl_operation *o, unsigned which, struct pl_state *to,
                 pl_value *result)
{
    (void)values;
    if (which)
        return false;
    if (o->code == PL_DEQUE_PUSH_RIGHT || o->code == PL_DEQUE_PUSH_LEFT) {
        pl_state_copy(to, from, 1);
        pl_state_insert(to, o->code == PL_DEQUE_PUSH_LEFT ? 0 : to->count, o->argument[0]);
        *result = PL_NIL;
        return true;
    }
    if (!from->count)
        return pl_step_stay(from, o, to, PL_NIL, result);
    uint32_t place = o->code == PL_DEQUE_POP_LEFT ? 0 : from->count - 1;
    *result = from->at[place];
    if (!pl_agrees(o, *result))
        return false;
    pl_state_copy(to, from, 0);
    pl_state_remove(to, place);
    return true;
}

/* An empty take. */
static bool pure(const struct pl_operation *o)
{
    return (o->code == PL_DEQUE_POP_LEFT || o->code == PL_DEQUE_POP_RIGHT) && o->result == PL_NIL;
}

static const struct pl_word words[] = {
    {"push_right|pushright|pushback|pushbottom|addlast|offerlast", PL_DEQUE_PUSH_RIGHT, 1,
     PL_ANSWER_NONE},
    {"pop_right|popright|popback|popbottom|takebottom|removelast|polllast", PL_DEQUE_POP_RIGHT, 0,
     PL_ANSWER_TAKE},
    {"push_left|pushleft|pushfront|pushtop|addfirst|offerfirst", PL_DEQUE_PUSH_LEFT, 1,
     PL_ANSWER_NONE},
    {"pop_left|popleft|popfront|poptop|steal|removefirst|pollfirst", PL_DEQUE_POP_LEFT, 0,
     PL_ANSWER_TAKE},
};

const struct pl_spec pl_spec_deque = {
    .name = "deque",
    .help = "two ends: push_right(v), pop_right(), push_left(v), pop_left()",
    .words = {words, sizeof words / sizeof words[0]},
    .has_initial = false,
    .start = pl_start_empty,
    .step = step,
    .pure = pure,
    .fits = pl_fits_put,
    .demand = PL_A_VALUE_PUT,
    .part = NULL,
};
