/* The smallest factors: see quasi_factors.h. */
#include "check/quasi_factors.h"

#include <stdlib.h>
#include <string.h>

struct adding {
    struct pl_quasi quasi; /* its factors are those under trial */
    unsigned factor[PL_MOST_CALLED];
    struct pl_machine *machine;
    const struct pl_behaviour *behaviour;
    const struct pl_quasi_weak *weak;
    const struct pl_budget *budget;
    union pl_quasi_result *out;
    struct pl_quasi_stats *stats;
    unsigned most[PL_MOST_CALLED]; /* a larger factor of the group changes nothing */
    unsigned groups;
    bool unknown;
    struct pl_quasi_factors *found;
};

void pl_quasi_factors_init(struct pl_quasi_factors *f, unsigned groups)
{
    *f = (struct pl_quasi_factors){.groups = groups, .count = 1};
}

enum pl_decision pl_quasi_decide(const struct pl_quasi *quasi, struct pl_machine *machine,
                                 const struct pl_behaviour *behaviour,
                                 const struct pl_quasi_weak *weak, const struct pl_budget *budget,
                                 union pl_quasi_result *out, struct pl_quasi_stats *stats)
{
    return weak ? pl_quasi_clients(quasi, machine, behaviour, weak->allowed, budget, weak->client,
                                   out, stats)
                : pl_quasi_all(quasi, machine, behaviour, budget, out, stats);
}

static enum pl_decision try(struct adding *a, const unsigned *vector)
{
    memcpy(a->factor, vector, sizeof a->factor);
    return pl_quasi_decide(&a->quasi, a->machine, a->behaviour, a->weak, a->budget, a->out,
                           a->stats);
}

static bool is_above(const unsigned *vector, const unsigned *other, unsigned groups)
{
    for (unsigned g = 0; g < groups; g++)
        if (vector[g] < other[g])
            return false;
    return true;
}

/* Is it above one that is known? */
static bool is_covered(const struct pl_quasi_factors *f, const unsigned *vector)
{
    for (unsigned i = 0; i < f->count; i++)
        if (is_above(vector, f->vector[i], f->groups))
            return true;
    return false;
}

static void keep(struct pl_quasi_factors *f, const unsigned *vector)
{
    unsigned kept = 0;
    for (unsigned i = 0; i < f->count; i++)
        if (!is_above(f->vector[i], vector, f->groups))
            memmove(f->vector[kept++], f->vector[i], sizeof f->vector[0]);
    f->count = kept;
    if (kept == PL_QUASI_MINIMAL)
        f->full = true;
    else
        memcpy(f->vector[f->count++], vector, sizeof f->vector[0]);
}

/* The minimal ones above `vector` that explain the behaviour. Directions below `first` were taken
   already: each vector is reached in one order of steps only. */
static void climb(struct adding *a, const unsigned *vector, unsigned first)
{
    if (a->unknown || is_covered(a->found, vector))
        return;
    enum pl_decision decision = try(a, vector);
    a->unknown = a->unknown || decision == PL_NEITHER;
    if (decision == PL_GOOD)
        keep(a->found, vector);
    if (decision != PL_BAD)
        return;
    for (unsigned g = first; g < a->groups; g++) {
        unsigned next[PL_MOST_CALLED];
        if (vector[g] >= a->most[g])
            continue;
        memcpy(next, vector, sizeof next);
        next[g]++;
        climb(a, next, g);
    }
}

static void set_most(struct adding *a)
{
    unsigned operations = a->behaviour->order->operations;
    for (unsigned i = 0; i < operations; i++)
        a->most[a->quasi.reading == PL_QUASI_ALL_SUBSETS ? 0 : a->quasi.group[i]]++;
}

enum pl_decision pl_quasi_factors_add(struct pl_quasi_factors *f, const struct pl_quasi *quasi,
                                      struct pl_machine *machine,
                                      const struct pl_behaviour *behaviour,
                                      const struct pl_quasi_weak *weak,
                                      const struct pl_budget *budget, union pl_quasi_result *out,
                                      struct pl_quasi_stats *stats)
{
    struct adding a = {.quasi = *quasi,
                       .machine = machine,
                       .behaviour = behaviour,
                       .weak = weak,
                       .budget = budget,
                       .out = out,
                       .stats = stats,
                       .groups = f->groups};
    a.quasi.factor = a.factor;
    set_most(&a);
    enum pl_decision most = PL_GOOD;
    bool explains = f->count > 0;
    for (unsigned i = 0; i < f->count && explains; i++)
        explains = try(&a, f->vector[i]) == PL_GOOD;
    if (explains)
        return PL_GOOD;
    most = try(&a, a.most);
    if (most == PL_BAD)
        f->count = 0;
    if (most != PL_GOOD || !f->count)
        return most;
    a.found = malloc(sizeof *a.found);
    PL_ASSERT(a.found);
    *a.found = (struct pl_quasi_factors){.groups = f->groups, .full = f->full};
    for (unsigned i = 0; i < f->count; i++)
        climb(&a, f->vector[i], 0);
    if (!a.unknown)
        *f = *a.found;
    free(a.found);
    return a.unknown ? PL_NEITHER : PL_GOOD;
}
