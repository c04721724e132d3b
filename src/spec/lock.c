/*
 * A lock: lock waits until it is free and takes it, unlock frees it, try answers whether it
 * took it. Who unlocks is not looked at.
 * State: 1 while held.
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
    bool held = from->at[0] != 0;
    if (which || (o->code == PL_LOCK_LOCK && held) || (o->code == PL_LOCK_UNLOCK && !held))
        return false;
    if (o->code == PL_LOCK_TRY && held)
        return pl_step_stay(from, o, to, 0, result);
    *result = o->code == PL_LOCK_TRY ? 1 : PL_NIL;
    if (o->code == PL_LOCK_TRY && !pl_agrees(o, 1))
        return false;
    pl_state_copy(to, from, 0);
    to->at[0] = !held;
    return true;
}

static bool pure(const struct pl_operation *o)
{
    return o->code == PL_LOCK_TRY && o->result == 0;
}

static const struct pl_word words[] = {
    {"lock|acquire|enter|take", PL_LOCK_LOCK, 0, PL_ANSWER_NONE},
    {"unlock|release|leave|exit|give", PL_LOCK_UNLOCK, 0, PL_ANSWER_NONE},
    {"try_lock|trylock|tryacquire|tryenter", PL_LOCK_TRY, 0, PL_ANSWER_SUCCESS},
};

const struct pl_spec pl_spec_lock = {
    .name = "lock",
    .help = "lock: lock(), unlock(), try_lock() -> true or false",
    .words = {words, sizeof words / sizeof words[0]},
    .has_initial = false,
    .start = start,
    .step = step,
    .pure = pure,
    .part = NULL,
};
