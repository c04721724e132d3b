/*
 * A set: add answers whether the value is new, remove and contains whether it was there;
 * read answers the members, size how many there are. Answers that were not recorded may be any.
 * State: the members, ascending.
 */
#include "spec/spec.h"

#include <string.h>

static uint32_t place_of(const struct pl_state *s, pl_value v)
{
    uint32_t low = 0, high = s->count;
    while (low < high) {
        uint32_t middle = low + (high - low) / 2;
        if (s->at[middle] < v)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

static bool read_all(const struct pl_values *values, const struct pl_state *from,
                     const struct pl_operation *o, struct pl_state *to, pl_value *result)
{
    size_t count;
    const char *members = o->result == PL_ANY ? NULL : pl_values_members(values, o->result, &count);
    if (members) {
        if (count != from->count ||
            (count && memcmp(members, from->at, count * sizeof(pl_value)) != 0))
            return false;
    } else if (o->result != PL_ANY) {
        return false;
    }
    pl_state_copy(to, from, 0);
    *result = o->result;
    return true;
}

static bool step(const struct pl_values *values, const struct pl_state *from,
                 const struct pl_operation *o, unsigned which, struct pl_state *to,
                 pl_value *result)
{
    (void)values;
    if (which)
        return false;
    if (o->code == PL_SET_READ)
        return read_all(values, from, o, to, result);
    if (o->code == PL_SET_SIZE)
        return pl_step_stay(from, o, to, (pl_value)from->count, result);
    uint32_t place = place_of(from, o->argument[0]);
    bool there = place < from->count && from->at[place] == o->argument[0];
    if (o->code == PL_SET_CONTAINS || there == (o->code == PL_SET_ADD))
        return pl_step_stay(from, o, to, o->code == PL_SET_CONTAINS && there, result);
    if (!pl_agrees(o, 1))
        return false;
    pl_state_copy(to, from, 1);
    if (o->code == PL_SET_ADD)
        pl_state_insert(to, place, o->argument[0]);
    else
        pl_state_remove(to, place);
    *result = 1;
    return true;
}

static bool pure(const struct pl_operation *o)
{
    return o->code >= PL_SET_CONTAINS || o->result == 0;
}

static pl_value part(const struct pl_operation *o)
{
    return o->code >= PL_SET_READ ? PL_ANY : o->argument[0];
}

static const struct pl_word words[] = {
    {"add|insert|put", PL_SET_ADD, 1, PL_ANSWER_BOOL},
    {"remove|delete|erase|del", PL_SET_REMOVE, 1, PL_ANSWER_BOOL},
    {"contains|member|find|has|lookup|search|exists|get", PL_SET_CONTAINS, 1, PL_ANSWER_BOOL},
    {"read|members|list|readall", PL_SET_READ, 0, PL_ANSWER_LIST},
    {"size|count|length", PL_SET_SIZE, 0, PL_ANSWER_VALUE},
};

const struct pl_spec pl_spec_set = {
    .name = "set",
    .help = "set: add(x), remove(x), contains(x) -> true or false; read() -> members; size()",
    .words = {words, sizeof words / sizeof words[0]},
    .has_initial = false,
    .start = pl_start_empty,
    .step = step,
    .pure = pure,
    .part = part,
};
