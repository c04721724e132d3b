/*
 * A queue: enq puts a value at the end, deq takes the first, or answers empty.
 * State: the values, first to last.
 */
#include "spec/spec.h"

static bool step(const struct pl_values *values, const struct pl_state *from,
                 const struct pl_operation *o, unsigned which, struct pl_state *to,
                 pl_value *result)
{
    (void)values;
    if (which)
        return false;
    if (o->code == PL_PUT) {
        pl_state_copy(to, from, 1);
        pl_state_insert(to, to->count, o->argument[0]);
        *result = PL_NIL;
        return true;
    }
    if (!from->count)
        return pl_step_stay(from, o, to, PL_NIL, result);
    uint32_t place = 0;
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
    return o->code == PL_TAKE && o->result == PL_NIL;
}

static const struct pl_word words[] = {
    {"enq|enqueue|put|push|add|offer|send|insert|write|produce|publish", PL_PUT, 1, PL_ANSWER_NONE},
    {"deq|dequeue|take|pop|poll|get|receive|recv|remove|read|consume|trydequeue|trytake|trypop",
     PL_TAKE, 0, PL_ANSWER_TAKE},
};

const struct pl_spec pl_spec_fifo = {
    .name = "fifo",
    .help = "queue: enq(v), deq() -> v or empty",
    .words = {words, sizeof words / sizeof words[0]},
    .has_initial = false,
    .head = PL_HEAD_OLDEST,
    .start = pl_start_empty,
    .step = step,
    .pure = pure,
    .part = NULL,
};
