/*
 * A snapshot: update(place, value) writes one place, scan answers all of them at once.
 * State: the values, as many as the longest scan of the history has, at least as many as are
 * written to.
 */
#include "spec/spec.h"

#include <string.h>

enum { MOST_PLACES = 4096 };

static void start(pl_value initial, const struct pl_history *history, struct pl_state *out)
{
    size_t places = 0, count;
    for (uint32_t i = 0; i < history->count; i++) {
        const struct pl_operation *o = &history->operation[i];
        if (o->code == PL_SNAPSHOT_UPDATE && o->argument[0] >= 0 && o->argument[0] < MOST_PLACES &&
            (size_t)o->argument[0] >= places)
            places = (size_t)o->argument[0] + 1;
        if (o->code == PL_SNAPSHOT_SCAN && o->result != PL_ANY &&
            pl_values_members(&history->values, o->result, &count) && count > places)
            places = count;
    }
    out->count = 0;
    while (out->count < places)
        pl_state_insert(out, out->count, initial);
}

static bool step(const struct pl_values *values, const struct pl_state *from,
                 const struct pl_operation *o, unsigned which, struct pl_state *to,
                 pl_value *result)
{
    (void)values;
    size_t count;
    if (which)
        return false;
    if (o->code == PL_SNAPSHOT_UPDATE) {
        if (o->argument[0] < 0 || o->argument[0] >= from->count)
            return false;
        pl_state_copy(to, from, 0);
        to->at[o->argument[0]] = o->argument[1];
        *result = PL_NIL;
        return true;
    }
    if (o->result != PL_ANY) {
        const void *members = pl_values_members(values, o->result, &count);
        if (!members || count != from->count ||
            (count && memcmp(members, from->at, count * sizeof(pl_value)) != 0))
            return false;
    }
    pl_state_copy(to, from, 0);
    *result = o->result;
    return true;
}

static bool pure(const struct pl_operation *o)
{
    return o->code == PL_SNAPSHOT_SCAN;
}

static bool fits(const struct pl_operation *o)
{
    return o->code != PL_SNAPSHOT_UPDATE || (o->argument[0] >= 0 && o->argument[0] < MOST_PLACES);
}

static const struct pl_word words[] = {
    {"update|write|set|put", PL_SNAPSHOT_UPDATE, 2, PL_ANSWER_NONE},
    {"scan|snapshot|read|get", PL_SNAPSHOT_SCAN, 0, PL_ANSWER_LIST},
};

const struct pl_spec pl_spec_snapshot = {
    .name = "snapshot",
    .help = "snapshot: update(place, v), scan() -> [v …]",
    .words = {words, sizeof words / sizeof words[0]},
    .has_initial = true,
    .start = start,
    .step = step,
    .pure = pure,
    .fits = fits,
    .demand = "a place of a snapshot is a number from 0 to 4095",
    .part = NULL,
};
