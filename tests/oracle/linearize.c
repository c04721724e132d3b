/* The definitions and nothing else: no memory, no pruning but that of illegal prefixes. */
#include "linearize.h"

struct order {
    bool before[OR_CALLS][OR_CALLS]; /* real time, between operations */
};

/*
 * Can the operations of `todo` be put in some order after those done, the spec being in
 * `state`? With blocks < OR_CALLS, that operation must block afterwards.
 */
static bool permute(const struct or_spec *spec, const struct or_execution *x,
                    const struct order *order, unsigned todo, unsigned state, unsigned blocks)
{
    if (!todo)
        return blocks == OR_CALLS || spec->cell[state][x->invocation[blocks]].count == 0;
    for (unsigned i = 0; i < x->operations; i++) {
        if (!(todo >> i & 1))
            continue;
        bool early = false;
        for (unsigned j = 0; j < x->operations; j++)
            early |= (todo >> j & 1) && order->before[j][i];
        if (early)
            continue;
        const struct or_cell *cell = &spec->cell[state][x->invocation[i]];
        for (unsigned a = 0; a < cell->count; a++)
            if ((x->pending[i] || cell->response[a] == x->response[i]) &&
                permute(spec, x, order, todo & ~(1u << i), cell->next[a], blocks))
                return true;
    }
    return false;
}

static bool explained(const struct or_spec *spec, const struct or_execution *x,
                      const struct order *order)
{
    unsigned complete = 0, pending = 0;
    for (unsigned i = 0; i < x->operations; i++)
        *(x->pending[i] ? &pending : &complete) |= 1u << i;
    if (x->stuck && pending) {
        for (unsigned e = 0; e < x->operations; e++)
            if ((pending >> e & 1) && !permute(spec, x, order, complete, 0, e))
                return false;
        return true;
    }
    for (unsigned chosen = 0; chosen <= pending; chosen++)
        if ((chosen & ~pending) == 0 && permute(spec, x, order, complete | chosen, 0, OR_CALLS))
            return true;
    return false;
}

bool or_history_good(const struct or_spec *spec, const struct or_execution *x,
                     const unsigned *event, unsigned events)
{
    struct order order = {0};
    for (unsigned a = 0; a < events; a++)
        for (unsigned b = a + 1; b < events; b++)
            if (event[a] % 2 == 1 && event[b] % 2 == 0)
                order.before[event[a] / 2][event[b] / 2] = true;
    return explained(spec, x, &order);
}

struct extension {
    const struct or_spec *spec;
    const struct or_execution *x;
    unsigned event[2 * OR_CALLS], events;
    bool placed[2 * OR_CALLS];
    struct or_count count;
    unsigned long most_bad;
};

static bool exists(const struct or_execution *x, unsigned e)
{
    return e % 2 == 0 || !x->pending[e / 2];
}

static void extend(struct extension *s)
{
    bool complete = true;
    for (unsigned e = 0; e < 2 * s->x->operations; e++) {
        if (s->most_bad && s->count.bad >= s->most_bad)
            return;
        if (s->placed[e] || !exists(s->x, e))
            continue;
        complete = false;
        bool early = e % 2 == 1 && !s->placed[e - 1];
        for (unsigned b = 0; b < 2 * s->x->operations; b++)
            early |= s->x->before[b][e] && exists(s->x, b) && !s->placed[b];
        if (early)
            continue;
        s->placed[e] = true;
        s->event[s->events++] = e;
        extend(s);
        s->events--;
        s->placed[e] = false;
    }
    if (complete) {
        s->count.histories++;
        s->count.bad += !or_history_good(s->spec, s->x, s->event, s->events);
    }
}

struct or_count or_count_histories(const struct or_spec *spec, const struct or_execution *x,
                                   unsigned long most_bad)
{
    struct extension s = {.spec = spec, .x = x, .most_bad = most_bad};
    extend(&s);
    return s.count;
}

bool or_explained(const struct or_spec *spec, const struct or_execution *x)
{
    struct order order = {0};
    for (unsigned i = 0; i < x->operations; i++)
        for (unsigned j = 0; j < x->operations; j++)
            order.before[i][j] = i != j && x->before[2 * i + 1][2 * j] && !x->pending[i];
    return explained(spec, x, &order);
}
