/* All permutations near an order: quasi.h. */
#include "check/quasi.h"

struct listing {
    const struct pl_quasi *quasi;
    const uint8_t *line;
    unsigned length;
    uint8_t group[PL_MOST_CALLED],
        place[PL_MOST_CALLED]; /* at each place: group, and place in it */
    uint8_t made[PL_MOST_CALLED];
    unsigned placed[PL_MOST_CALLED]; /* of each group */
    uint32_t used;                   /* places of the line */
    bool (*each)(void *context, const uint8_t *permutation);
    void *context;
};

static unsigned factor_of(const struct listing *l, unsigned at)
{
    return l->quasi->factor[l->group[at]];
}

/* Those that are left can still come in time (Round-Up's must-select event). */
static bool in_time(const struct listing *l)
{
    for (unsigned at = 0; at < l->length; at++)
        if (!(l->used >> at & 1) &&
            l->placed[l->group[at]] > (unsigned)l->place[at] + factor_of(l, at))
            return false;
    return true;
}

static bool go_on(struct listing *l, unsigned count)
{
    if (count == l->length)
        return l->each(l->context, l->made);
    bool same_group = l->quasi->reading != PL_QUASI_DEFINITION4;
    for (unsigned at = 0; at < l->length; at++) {
        unsigned group = l->group[at], now = l->placed[group];
        if ((l->used >> at & 1) || (same_group && group != l->group[count]) ||
            l->place[at] > now + factor_of(l, at))
            continue;
        l->used |= (uint32_t)1 << at;
        l->placed[group]++;
        l->made[count] = l->line[at];
        bool more = !in_time(l) || go_on(l, count + 1);
        l->placed[group]--;
        l->used &= ~((uint32_t)1 << at);
        if (!more)
            return false;
    }
    return true;
}

bool pl_quasi_permute(const struct pl_quasi *quasi, const uint8_t *line, unsigned length,
                      bool (*each)(void *context, const uint8_t *permutation), void *context)
{
    struct listing l = {
        .quasi = quasi, .line = line, .length = length, .each = each, .context = context};
    unsigned count[PL_MOST_CALLED] = {0};
    for (unsigned at = 0; at < length; at++) {
        l.group[at] = quasi->reading == PL_QUASI_ALL_SUBSETS ? 0 : quasi->group[line[at]];
        l.place[at] = (uint8_t)count[l.group[at]]++;
    }
    return go_on(&l, 0);
}
