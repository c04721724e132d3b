/*
 * A map: get answers the value of a key, or nil; put writes it; cas(key, old, new) writes new
 * if the value is old (nil: absent) and answers whether; swap writes and answers the value
 * before; remove answers whether the key was there. Writing nil removes.
 * State: key, value, key, value, …, ascending by key.
 */
#include "spec/spec.h"

static uint32_t place_of(const struct pl_state *s, pl_value key)
{
    uint32_t low = 0, high = s->count / 2;
    while (low < high) {
        uint32_t middle = low + (high - low) / 2;
        if (s->at[2 * middle] < key)
            low = middle + 1;
        else
            high = middle;
    }
    return 2 * low;
}

static void write_at(struct pl_state *s, uint32_t place, bool there, pl_value key, pl_value value)
{
    if (there && value == PL_NIL) {
        pl_state_remove(s, place);
        pl_state_remove(s, place);
    } else if (there) {
        s->at[place + 1] = value;
    } else if (value != PL_NIL) {
        pl_state_insert(s, place, value);
        pl_state_insert(s, place, key);
    }
}

static bool step(const struct pl_values *values, const struct pl_state *from,
                 const struct pl_operation *o, unsigned which, struct pl_state *to,
                 pl_value *result)
{
    (void)values;
    pl_value key = o->argument[0], written = o->argument[1];
    uint32_t place = place_of(from, key);
    bool there = place < from->count && from->at[place] == key;
    pl_value old = there ? from->at[place + 1] : PL_NIL;
    if (which)
        return false;
    switch (o->code) {
    case PL_MAP_GET:
        return pl_step_stay(from, o, to, old, result);
    case PL_MAP_CAS:
        if (old != o->argument[1])
            return pl_step_stay(from, o, to, 0, result);
        written = o->argument[2];
        *result = 1;
        break;
    case PL_MAP_SWAP:
        *result = old;
        break;
    case PL_MAP_REMOVE:
        if (!there)
            return pl_step_stay(from, o, to, 0, result);
        written = PL_NIL;
        *result = 1;
        break;
    default:
        *result = PL_NIL;
        break;
    }
    if (o->code != PL_MAP_PUT && !pl_agrees(o, *result))
        return false;
    pl_state_copy(to, from, 2);
    write_at(to, place, there, key, written);
    return true;
}

static bool pure(const struct pl_operation *o)
{
    return o->code == PL_MAP_GET ||
           ((o->code == PL_MAP_CAS || o->code == PL_MAP_REMOVE) && o->result == 0);
}

static pl_value part(const struct pl_operation *o)
{
    return o->argument[0];
}

static const struct pl_word words[] = {
    {"get|read|lookup|find|load", PL_MAP_GET, 1, PL_ANSWER_TAKE},
    {"put|write|set|insert|store|update", PL_MAP_PUT, 2, PL_ANSWER_NONE},
    {"cas|compareandswap|compareandset|compareexchange|replace", PL_MAP_CAS, 3, PL_ANSWER_SUCCESS},
    {"swap|exchange|getandset", PL_MAP_SWAP, 2, PL_ANSWER_VALUE},
    {"remove|delete|erase|del", PL_MAP_REMOVE, 1, PL_ANSWER_BOOL},
};

const struct pl_spec pl_spec_map = {
    .name = "map",
    .help = "map: get(k) -> v or nil, put(k, v), cas(k, old, new), swap(k, v), "
            "remove(k) -> was it there",
    .words = {words, sizeof words / sizeof words[0]},
    .has_initial = false,
    .start = pl_start_empty,
    .step = step,
    .pure = pure,
    .part = part,
};
