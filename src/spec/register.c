/*
 * A register: read answers what was written last, or the initial value.
 * State: the value.
 */
#include "spec/spec.h"

static bool step(const struct pl_values *values, const struct pl_state *from,
                 const struct pl_operation *o, unsigned which, struct pl_state *to,
                 pl_value *result)
{
    (void)values;
    if (which)
        return false;
    if (o->code == PL_REGISTER_READ)
        return pl_step_stay(from, o, to, from->at[0], result);
    pl_state_copy(to, from, 0);
    to->at[0] = o->argument[0];
    *result = PL_NIL;
    return true;
}

static bool pure(const struct pl_operation *o)
{
    return o->code == PL_REGISTER_READ;
}

static const struct pl_word words[] = {
    {"read|get|load|r", PL_REGISTER_READ, 0, PL_ANSWER_VALUE},
    {"write|put|set|store|w", PL_REGISTER_WRITE, 1, PL_ANSWER_NONE},
};

const struct pl_spec pl_spec_register = {
    .name = "register",
    .help = "register: read() -> v, write(v)",
    .words = {words, sizeof words / sizeof words[0]},
    .has_initial = true,
    .start = pl_start_cell,
    .step = step,
    .pure = pure,
    .part = NULL,
};
