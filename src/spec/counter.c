/*
 * A counter: inc adds 1, add(d) adds d, both answer the value before; read answers it.
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
    if (!pl_agrees(o, from->at[0]))
        return false;
    pl_state_copy(to, from, 0);
    *result = from->at[0];
    if (o->code != PL_COUNTER_READ &&
        __builtin_add_overflow(to->at[0], o->code == PL_COUNTER_INC ? 1 : o->argument[0],
                               &to->at[0]))
        return false;
    return true;
}

static bool pure(const struct pl_operation *o)
{
    return o->code == PL_COUNTER_READ;
}

static bool fits(const struct pl_operation *o)
{
    return o->code != PL_COUNTER_ADD || pl_is_number(o->argument[0]);
}

static const struct pl_word words[] = {
    {"inc|increment|fetchandincrement|fetchinc|getandincrement|next|incr|count", PL_COUNTER_INC, 0,
     PL_ANSWER_VALUE},
    {"add|fetchadd|fetchandadd|getandadd", PL_COUNTER_ADD, 1, PL_ANSWER_VALUE},
    {"read|get|load|value", PL_COUNTER_READ, 0, PL_ANSWER_VALUE},
};

const struct pl_spec pl_spec_counter = {
    .name = "counter",
    .help = "counter: inc() -> value before, add(d) -> value before, read()",
    .words = {words, sizeof words / sizeof words[0]},
    .has_initial = true,
    .start = pl_start_cell,
    .step = step,
    .pure = pure,
    .fits = fits,
    .demand = "what is added is a whole number below 2^62",
    .part = NULL,
};
