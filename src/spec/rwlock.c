/*
 * A lock for many readers or one writer; the try_ operations answer whether they took it.
 * State: readers, writers.
 */
#include "spec/spec.h"

static void start(pl_value initial, const struct pl_history *history, struct pl_state *out)
{
    (void)initial;
    pl_start_cell(0, history, out);
    pl_state_insert(out, 1, 0);
}

static bool step(const struct pl_values *values, const struct pl_state *from,
                 const struct pl_operation *o, unsigned which, struct pl_state *to,
                 pl_value *result)
{
    (void)values;
    bool tries = o->code == PL_RWLOCK_TRY_READ || o->code == PL_RWLOCK_TRY_WRITE;
    bool reads = from->at[1] == 0, writes = reads && from->at[0] == 0, legal;
    unsigned cell = 1;
    pl_value change = 1;
    switch (o->code) {
    case PL_RWLOCK_READ_LOCK:
    case PL_RWLOCK_TRY_READ:
        legal = reads;
        cell = 0;
        break;
    case PL_RWLOCK_READ_UNLOCK:
        legal = from->at[0] > 0;
        cell = 0;
        change = -1;
        break;
    case PL_RWLOCK_WRITE_UNLOCK:
        legal = from->at[1] > 0;
        change = -1;
        break;
    default:
        legal = writes;
        break;
    }
    if (which || (!legal && !tries))
        return false;
    if (!legal)
        return pl_step_stay(from, o, to, 0, result);
    *result = tries ? 1 : PL_NIL;
    if (tries && !pl_agrees(o, 1))
        return false;
    pl_state_copy(to, from, 0);
    to->at[cell] += change;
    return true;
}

static bool pure(const struct pl_operation *o)
{
    return (o->code == PL_RWLOCK_TRY_READ || o->code == PL_RWLOCK_TRY_WRITE) && o->result == 0;
}

static const struct pl_word words[] = {
    {"read_lock|readlock|rdlock|sharedlock|lockshared", PL_RWLOCK_READ_LOCK, 0, PL_ANSWER_NONE},
    {"read_unlock|readunlock|rdunlock|unlockshared", PL_RWLOCK_READ_UNLOCK, 0, PL_ANSWER_NONE},
    {"write_lock|writelock|wrlock|lock", PL_RWLOCK_WRITE_LOCK, 0, PL_ANSWER_NONE},
    {"write_unlock|writeunlock|wrunlock|unlock", PL_RWLOCK_WRITE_UNLOCK, 0, PL_ANSWER_NONE},
    {"try_read_lock|tryreadlock|tryrdlock|trylockshared", PL_RWLOCK_TRY_READ, 0, PL_ANSWER_SUCCESS},
    {"try_write_lock|trywritelock|trywrlock|trylock", PL_RWLOCK_TRY_WRITE, 0, PL_ANSWER_SUCCESS},
};

const struct pl_spec pl_spec_rwlock = {
    .name = "rwlock",
    .help = "readers and writers: read_lock(), read_unlock(), write_lock(), write_unlock(), try_…",
    .words = {words, sizeof words / sizeof words[0]},
    .has_initial = false,
    .start = start,
    .step = step,
    .pure = pure,
    .part = NULL,
};
