/*
 * A countdown: signal takes one off and is wrong at zero; wait waits for zero; count asks.
 * State: what is left.
 */
#include "spec/spec.h"

static bool step(const struct pl_values *values, const struct pl_state *from,
                 const struct pl_operation *o, unsigned which, struct pl_state *to,
                 pl_value *result)
{
    (void)values;
    pl_value left = from->at[0];
    if (which || (o->code == PL_COUNTDOWN_WAIT && left != 0) ||
        (o->code == PL_COUNTDOWN_SIGNAL && left <= 0))
        return false;
    if (o->code == PL_COUNTDOWN_COUNT)
        return pl_step_stay(from, o, to, left, result);
    *result = PL_NIL;
    pl_state_copy(to, from, 0);
    to->at[0] -= o->code == PL_COUNTDOWN_SIGNAL;
    return true;
}

static bool pure(const struct pl_operation *o)
{
    return o->code != PL_COUNTDOWN_SIGNAL;
}

static const struct pl_word words[] = {
    {"signal|countdown|arrive|done|dec", PL_COUNTDOWN_SIGNAL, 0, PL_ANSWER_NONE},
    {"wait|await", PL_COUNTDOWN_WAIT, 0, PL_ANSWER_NONE},
    {"count|getcount|read|get", PL_COUNTDOWN_COUNT, 0, PL_ANSWER_VALUE},
};

const struct pl_spec pl_spec_countdown = {
    .name = "countdown",
    .help = "countdown: signal(), wait(), count() -> what is left",
    .words = {words, sizeof words / sizeof words[0]},
    .has_initial = true,
    .start = pl_start_cell,
    .step = step,
    .pure = pure,
    .part = NULL,
};
