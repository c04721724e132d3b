/*
 * A register with compare-and-swap: cas(old, new) writes new and answers true if the value
 * is old, else answers false; swap(v) writes v and answers the value before.
 * State: the value.
 */
#include "spec/spec.h"

static bool step(const struct pl_values *values, const struct pl_state *from,
                 const struct pl_operation *o, unsigned which, struct pl_state *to,
                 pl_value *result)
{
    (void)values;
    pl_value old = from->at[0], written = o->argument[0];
    if (which)
        return false;
    switch (o->code) {
    case PL_REGISTER_READ:
        return pl_step_stay(from, o, to, old, result);
    case PL_REGISTER_CAS:
        if (old != o->argument[0])
            return pl_step_stay(from, o, to, 0, result);
        written = o->argument[1];
        *result = 1;
        break;
    case PL_REGISTER_SWAP:
        *result = old;
        break;
    default:
        *result = PL_NIL;
        break;
    }
    if (o->code != PL_REGISTER_WRITE && !pl_agrees(o, *result))
        return false;
    pl_state_copy(to, from, 0);
    to->at[0] = written;
    return true;
}

static bool pure(const struct pl_operation *o)
{
    return o->code == PL_REGISTER_READ || (o->code == PL_REGISTER_CAS && o->result == 0);
}

static const struct pl_word words[] = {
    {"read|get|load|r", PL_REGISTER_READ, 0, PL_ANSWER_VALUE},
    {"write|put|set|store|w", PL_REGISTER_WRITE, 1, PL_ANSWER_NONE},
    {"cas|compareandswap|compareandset|compareexchange|cmpxchg", PL_REGISTER_CAS, 2,
     PL_ANSWER_SUCCESS},
    {"swap|exchange|getandset|xchg", PL_REGISTER_SWAP, 1, PL_ANSWER_VALUE},
};

const struct pl_spec pl_spec_cas_register = {
    .name = "cas-register",
    .help = "register with read(), write(v), cas(old, new) -> true or false, swap(v) -> old",
    .words = {words, sizeof words / sizeof words[0]},
    .has_initial = true,
    .start = pl_start_cell,
    .step = step,
    .pure = pure,
    .part = NULL,
};
