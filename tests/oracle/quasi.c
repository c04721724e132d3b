#include "quasi.h"

struct search {
    const struct or_quasi *quasi;
    const struct or_spec *spec;
    const struct or_execution *x;
    bool before[OR_CALLS][OR_CALLS]; /* real time */
    unsigned chosen, blocks;
    unsigned happened[OR_CALLS], accepted[OR_CALLS], count;
};

/* The largest distance of an operation of the set between the two orders, both without the
   operations that are not in the set. */
static unsigned distance(const struct search *s, unsigned set)
{
    unsigned place[2][OR_CALLS] = {{0}}, largest = 0;
    for (unsigned side = 0; side < 2; side++)
        for (unsigned k = 0, next = 0; k < s->count; k++) {
            unsigned i = side ? s->accepted[k] : s->happened[k];
            if (set >> i & 1)
                place[side][i] = next++;
        }
    for (unsigned i = 0; i < s->x->operations; i++) {
        unsigned a = place[0][i], b = place[1][i], d = a > b ? a - b : b - a;
        if ((set >> i & 1) && d > largest)
            largest = d;
    }
    return largest;
}

static bool near_enough(const struct search *s)
{
    const struct or_quasi *q = s->quasi;
    if (q->reading == OR_ALL_SUBSETS) {
        for (unsigned set = 0; set <= s->chosen; set++)
            if (!(set & ~s->chosen) && distance(s, set) > q->factor[0])
                return false;
        return true;
    }
    for (unsigned g = 0; g < OR_CALLS; g++) {
        unsigned set = 0;
        for (unsigned i = 0; i < s->x->operations; i++)
            if ((s->chosen >> i & 1) && q->group[i] == g)
                set |= 1u << i;
        if (distance(s, set) > q->factor[g])
            return false;
    }
    for (unsigned k = 0; q->reading == OR_POSITIONS && k < s->count; k++)
        if (q->group[s->happened[k]] != q->group[s->accepted[k]])
            return false;
    return true;
}

/* All permutations that the spec accepts. */
static bool accept(struct search *s, unsigned done, unsigned count, unsigned state)
{
    if (count == s->count)
        return (s->blocks == OR_CALLS ||
                s->spec->cell[state][s->x->invocation[s->blocks]].count == 0) &&
               near_enough(s);
    for (unsigned i = 0; i < s->x->operations; i++) {
        const struct or_cell *cell = &s->spec->cell[state][s->x->invocation[i]];
        if (!(s->chosen >> i & 1) || (done >> i & 1))
            continue;
        s->accepted[count] = i;
        for (unsigned a = 0; a < cell->count; a++)
            if ((s->x->pending[i] || cell->response[a] == s->x->response[i]) &&
                accept(s, done | 1u << i, count + 1, cell->next[a]))
                return true;
    }
    return false;
}

/* All sequentialisations. */
static bool happen(struct search *s, unsigned done)
{
    if (done == s->chosen)
        return accept(s, 0, 0, 0);
    for (unsigned i = 0; i < s->x->operations; i++) {
        bool early = !(s->chosen >> i & 1) || (done >> i & 1);
        for (unsigned j = 0; j < s->x->operations; j++)
            early |= s->before[j][i] && (s->chosen >> j & 1) && !(done >> j & 1);
        if (early)
            continue;
        s->happened[s->count++] = i;
        bool good = happen(s, done | 1u << i);
        s->count--;
        if (good)
            return true;
    }
    return false;
}

static bool explained(struct search *s)
{
    const struct or_execution *x = s->x;
    unsigned complete = 0, pending = 0;
    for (unsigned i = 0; i < x->operations; i++)
        *(x->pending[i] ? &pending : &complete) |= 1u << i;
    s->blocks = OR_CALLS;
    if (x->stuck && pending) {
        s->chosen = complete;
        for (s->blocks = 0; s->blocks < x->operations; s->blocks++)
            if (x->pending[s->blocks] && !happen(s, 0))
                return false;
        return true;
    }
    for (unsigned chosen = 0; chosen <= pending; chosen++) {
        s->chosen = complete | chosen;
        if (!(chosen & ~pending) && happen(s, 0))
            return true;
    }
    return false;
}

bool or_quasi_good(const struct or_quasi *quasi, const struct or_spec *spec,
                   const struct or_execution *x, const unsigned *event, unsigned events)
{
    struct search s = {.quasi = quasi, .spec = spec, .x = x};
    for (unsigned a = 0; a < events; a++)
        for (unsigned b = a + 1; b < events; b++)
            if (event[a] % 2 == 1 && event[b] % 2 == 0)
                s.before[event[a] / 2][event[b] / 2] = true;
    return explained(&s);
}

bool or_quasi_explained(const struct or_quasi *quasi, const struct or_spec *spec,
                        const struct or_execution *x)
{
    struct search s = {.quasi = quasi, .spec = spec, .x = x};
    for (unsigned i = 0; i < x->operations; i++)
        for (unsigned j = 0; j < x->operations; j++)
            s.before[i][j] = i != j && x->before[2 * i + 1][2 * j] && !x->pending[i];
    return explained(&s);
}

struct extension {
    const struct or_quasi *quasi;
    const struct or_spec *spec;
    const struct or_execution *x;
    unsigned event[2 * OR_CALLS], events;
    bool placed[2 * OR_CALLS];
};

static bool extend(struct extension *s)
{
    bool complete = true;
    for (unsigned e = 0; e < 2 * s->x->operations; e++) {
        if (s->placed[e] || (e % 2 && s->x->pending[e / 2]))
            continue;
        complete = false;
        bool early = e % 2 == 1 && !s->placed[e - 1];
        for (unsigned b = 0; b < 2 * s->x->operations; b++)
            early |= s->x->before[b][e] && !s->placed[b] && !(b % 2 && s->x->pending[b / 2]);
        if (early)
            continue;
        s->placed[e] = true;
        s->event[s->events++] = e;
        bool good = extend(s);
        s->events--;
        s->placed[e] = false;
        if (!good)
            return false;
    }
    return !complete || or_quasi_good(s->quasi, s->spec, s->x, s->event, s->events);
}

bool or_quasi_all_good(const struct or_quasi *quasi, const struct or_spec *spec,
                       const struct or_execution *x)
{
    struct extension s = {.quasi = quasi, .spec = spec, .x = x};
    return extend(&s);
}
