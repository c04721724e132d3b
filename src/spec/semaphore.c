/*
 * A semaphore: acquire waits until the count is above zero and takes one, release gives one
 * back, try answers whether it took one.
 * State: the count.
 */
#include "spec/spec.h"

static bool step(const struct pl_values *values, const struct pl_state *from,
                 const struct pl_operation *o, unsigned which, struct pl_state *to,
                 pl_value *result)
{
    (void)values;
    bool free = from->at[0] > 0;
    if (which || (o->code == PL_SEMAPHORE_ACQUIRE && !free))
        return false;
    if (o->code == PL_SEMAPHORE_TRY && !free)
        return pl_step_stay(from, o, to, 0, result);
    *result = o->code == PL_SEMAPHORE_TRY ? 1 : PL_NIL;
    if (o->code == PL_SEMAPHORE_TRY && !pl_agrees(o, 1))
        return false;
    pl_state_copy(to, from, 0);
    to->at[0] += o->code == PL_SEMAPHORE_RELEASE ? 1 : -1;
    return true;
}

static bool pure(const struct pl_operation *o)
{
    return o->code == PL_SEMAPHORE_TRY && o->result == 0;
}

static const struct pl_word words[] = {
    {"acquire|wait|down|p|take", PL_SEMAPHORE_ACQUIRE, 0, PL_ANSWER_NONE},
    {"release|post|up|v|signal|give", PL_SEMAPHORE_RELEASE, 0, PL_ANSWER_NONE},
    {"try_acquire|tryacquire|trywait|try", PL_SEMAPHORE_TRY, 0, PL_ANSWER_SUCCESS},
};

const struct pl_spec pl_spec_semaphore = {
    .name = "semaphore",
    .help = "semaphore: acquire(), release(), try_acquire() -> true or false",
    .words = {words, sizeof words / sizeof words[0]},
    .has_initial = true,
    .start = pl_start_cell,
    .step = step,
    .pure = pure,
    .part = NULL,
};
