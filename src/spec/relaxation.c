/* Relaxed takes: see relaxation.h. */
#include "spec/relaxation.h"

bool pl_relaxation_fits(const struct pl_spec *spec)
{
    return spec->head != PL_HEAD_NONE;
}

void pl_relaxation_start(struct pl_state *s)
{
    pl_state_insert(s, 0, 0);
}

/* The exact spec's part of a state; borrowed. */
static struct pl_state contents(const struct pl_state *s)
{
    return (struct pl_state){.at = s->at + 1, .count = s->count - 1};
}

static uint32_t from_head(const struct pl_spec *spec, const struct pl_state *values, uint32_t place)
{
    return spec->head == PL_HEAD_OLDEST ? place : values->count - 1 - place;
}

/* Was the head another one before the put? */
static bool other_head(const struct pl_spec *spec, const struct pl_state *before,
                       const struct pl_state *after)
{
    return !before->count || spec->head == PL_HEAD_NEWEST ||
           before->at[from_head(spec, before, 0)] != after->at[from_head(spec, after, 0)];
}

static bool put(const struct pl_relaxation *r, const struct pl_spec *spec,
                const struct pl_values *values, const struct pl_state *from,
                const struct pl_operation *o, unsigned which, struct pl_state *to, pl_value *result)
{
    const struct pl_state before = contents(from);
    pl_value late = from->at[0];
    if (!spec->step(values, &before, o, which, to, result))
        return false;
    if (r->since_head && other_head(spec, &before, to))
        late = 0;
    pl_state_insert(to, 0, late);
    return true;
}

/* The take that leaves out so many values from the head. */
static bool take(const struct pl_relaxation *r, const struct pl_spec *spec,
                 const struct pl_state *from, uint32_t place, struct pl_state *to, pl_value *result)
{
    const struct pl_state values = contents(from);
    bool head = place == 0, limited = r->late != PL_RELAXED_ANY;
    if (place > r->places || (!head && limited && from->at[0] >= (pl_value)r->late))
        return false;
    uint32_t at = from_head(spec, &values, place);
    *result = values.at[at];
    pl_state_copy(to, from, 0);
    pl_state_remove(to, at + 1);
    to->at[0] = head || !limited ? 0 : from->at[0] + 1;
    return true;
}

/* "Empty". */
static bool take_nothing(const struct pl_relaxation *r, const struct pl_state *from,
                         struct pl_state *to, pl_value *result)
{
    uint32_t count = from->count - 1;
    bool limited = r->late != PL_RELAXED_ANY;
    if (count > r->empty || (count && limited && from->at[0] >= (pl_value)r->late))
        return false;
    pl_state_copy(to, from, 0);
    to->at[0] += count && limited;
    *result = PL_NIL;
    return true;
}

bool pl_relaxation_step(const struct pl_relaxation *r, const struct pl_spec *spec,
                        const struct pl_values *values, const struct pl_state *from,
                        const struct pl_operation *o, unsigned which, struct pl_state *to,
                        pl_value *result)
{
    if (o->code == PL_PUT)
        return put(r, spec, values, from, o, which, to, result);
    uint32_t count = from->count - 1;
    for (uint32_t place = 0; place <= count; place++) {
        bool is = place < count ? take(r, spec, from, place, to, result)
                                : take_nothing(r, from, to, result);
        if (is && pl_agrees(o, *result) && which-- == 0)
            return true;
    }
    return false;
}
