/*
 * Once: run answers true to the first caller and false to all others; done asks.
 * State: 1 after the first run.
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
    bool done = from->at[0] != 0;
    if (which)
        return false;
    if (o->code == PL_ONCE_DONE)
        return pl_step_stay(from, o, to, done, result);
    *result = !done;
    if (!pl_agrees(o, *result))
        return false;
    pl_state_copy(to, from, 0);
    to->at[0] = 1;
    return true;
}

static bool pure(const struct pl_operation *o)
{
    return o->code == PL_ONCE_DONE || o->result == 0;
}

static const struct pl_word words[] = {
    {"run|once|do|call|init", PL_ONCE_RUN, 0, PL_ANSWER_BOOL},
    {"done|isdone|isset", PL_ONCE_DONE, 0, PL_ANSWER_BOOL},
};

const struct pl_spec pl_spec_once = {
    .name = "once",
    .help = "once: run() -> true to the first, done() -> true or false",
    .words = {words, sizeof words / sizeof words[0]},
    .has_initial = false,
    .start = start,
    .step = step,
    .pure = pure,
    .part = NULL,
};
