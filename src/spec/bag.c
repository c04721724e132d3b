/*
 * A bag: take answers any value that was put and not taken yet, or empty if there is none.
 * State: the values, ascending.
 */
#include "spec/spec.h"

/* The first place at or after which a value would stand. */
static uint32_t place_of(const struct pl_state *s, pl_value v)
{
    uint32_t i = 0;
    while (i < s->count && s->at[i] < v)
        i++;
    return i;
}

/* The place of the which-th different value. */
static uint32_t different(const struct pl_state *s, unsigned which)
{
    uint32_t i = 0;
    for (; i < s->count; i++)
        if ((i == 0 || s->at[i] != s->at[i - 1]) && which-- == 0)
            break;
    return i;
}

static bool step(const struct pl_values *values, const struct pl_state *from,
                 const struct pl_operation *o, unsigned which, struct pl_state *to,
                 pl_value *result)
{
    (void)values;
    if (o->code == PL_PUT) {
        if (which)
            return false;
        pl_state_copy(to, from, 1);
        pl_state_insert(to, place_of(to, o->argument[0]), o->argument[0]);
        *result = PL_NIL;
        return true;
    }
    if (!from->count || o->result == PL_NIL)
        return which == 0 && !from->count && pl_step_stay(from, o, to, PL_NIL, result);
    if (o->result != PL_ANY && which)
        return false;
    uint32_t place = o->result == PL_ANY ? different(from, which) : place_of(from, o->result);
    if (place == from->count || !pl_agrees(o, from->at[place]))
        return false;
    *result = from->at[place];
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
    {"put|add|insert|push|enq|enqueue|offer", PL_PUT, 1, PL_ANSWER_NONE},
    {"take|get|remove|pop|deq|dequeue|trytake|trypop|poll", PL_TAKE, 0, PL_ANSWER_TAKE},
};

const struct pl_spec pl_spec_bag = {
    .name = "bag",
    .help = "bag, multiset: put(v), take() -> any v that is in it, or empty",
    .words = {words, sizeof words / sizeof words[0]},
    .has_initial = false,
    .start = pl_start_empty,
    .step = step,
    .pure = pure,
    .fits = pl_fits_put,
    .demand = PL_A_VALUE_PUT,
    .part = NULL,
};
