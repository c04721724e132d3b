/*
 * A manual reset event: wait waits until it is set and leaves it so; is_set asks.
 * State: 1 while set.
 */
#include "spec/spec.h"

static void start(pl_value initial, const struct pl_history *history, struct pl_state *out)
{
    (void)initial;
    pl_start_cell(0, history, out);
}

static bool step(const struct pl_values *values, const struct pl_state *from,
                 const struct pl_operation *o, unsigned which, struct pl_state *to,
                 pl_value *result)
{
    (void)values;
    bool set = from->at[0] != 0;
    if (which || (o->code == PL_EVENT_WAIT && !set))
        return false;
    if (o->code == PL_EVENT_IS_SET)
        return pl_step_stay(from, o, to, set, result);
    *result = PL_NIL;
    pl_state_copy(to, from, 0);
    if (o->code != PL_EVENT_WAIT)
        to->at[0] = o->code == PL_EVENT_SET;
    return true;
}

static bool pure(const struct pl_operation *o)
{
    return o->code == PL_EVENT_WAIT || o->code == PL_EVENT_IS_SET;
}

static const struct pl_word words[] = {
    {"set|signal|open", PL_EVENT_SET, 0, PL_ANSWER_NONE},
    {"reset|clear|close", PL_EVENT_RESET, 0, PL_ANSWER_NONE},
    {"wait|await", PL_EVENT_WAIT, 0, PL_ANSWER_NONE},
    {"is_set|isset|test", PL_EVENT_IS_SET, 0, PL_ANSWER_BOOL},
};

const struct pl_spec pl_spec_event = {
    .name = "event",
    .help = "manual reset event: set(), reset(), wait(), is_set() -> true or false",
    .words = {words, sizeof words / sizeof words[0]},
    .has_initial = false,
    .start = start,
    .step = step,
    .pure = pure,
    .part = NULL,
};
