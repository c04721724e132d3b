/* The clients of a history: see asked.h. */
#include "cli/asked.h"

#include <string.h>

#include "graph/clients.h"
#include "graph/store.h"
#include "graph/whole.h"

/* ---- the operations that were called ---- */

/* Rows of points, of the operations number[] alone. */
static void select_rows(const uint64_t *from, const uint8_t *number, unsigned count, uint64_t *to)
{
    for (unsigned i = 0; i < count; i++)
        for (unsigned half = 0; half < 2; half++) {
            uint64_t row = 0;
            for (unsigned k = 0; k < count; k++)
                row |= (from[2 * number[i] + half] >> 2 * number[k] & 3) << 2 * k;
            to[2 * i + half] = row;
        }
}

void pl_bad_select(struct pl_bad *b, uint32_t invocations)
{
    const struct pl_seen_history *h = &b->seen;
    unsigned count = 0;
    for (unsigned i = 0; i < h->head.operations; i++)
        if ((h->head.called & invocations) >> i & 1)
            b->number[count++] = (uint8_t)i;
    b->order = (struct pl_order){.operations = count};
    select_rows(h->order.before, b->number, count, b->order.before);
    for (unsigned i = 0; i < count; i++) {
        b->called[i] = h->called[b->number[i]];
        b->order.pending |= (h->order.pending >> b->number[i] & 1) << i;
    }
}

/* ---- asking a graph ---- */

struct asked {
    const struct pl_model *model;
    const struct pl_bad *bad;
    struct pl_graph_call call[PL_GRAPH_CALLS];
};

static struct pl_graph *graph; /* mapped once, at its greatest size */

/* False: it does not hold together, or is too long to be asked. */
static bool begin_asking(struct asked *a, const char *model, const struct pl_bad *b)
{
    const struct pl_seen_history *h = &b->seen;
    unsigned calls = h->head.operations;
    size_t points = calls * 3 * sizeof(uint16_t);
    graph = graph ? graph : pl_graph_new();
    PL_ASSERT(graph);
    *a = (struct asked){.model = pl_model_named(model), .bad = b};
    if (h->head.stored < points || calls > PL_GRAPH_CALLS ||
        !pl_graph_load(graph, h->stored + points, h->head.stored - points))
        return false;
    for (unsigned i = 0; i < calls; i++) {
        uint16_t at[3];
        memcpy(at, h->stored + i * sizeof at, sizeof at);
        if (at[0] >= PL_GRAPH_THREADS)
            return false;
        a->call[i] = (struct pl_graph_call){.thread = (uint8_t)at[0],
                                            .call = at[1],
                                            .ret = at[2],
                                            .called = h->head.called >> i & 1,
                                            .returned = h->head.returned >> i & 1};
    }
    return pl_graph_has_room(graph, calls);
}

uint32_t pl_outline_script(const struct pl_wire_history *head, const uint8_t *from, uint8_t *to)
{
    static struct pl_ref order[PL_GRAPH_EVENTS];
    uint32_t prefix = head->prefix, outline = head->graph - prefix;
    graph = graph ? graph : pl_graph_new();
    PL_ASSERT(graph);
    if (prefix > head->graph || !pl_graph_load_outline(graph, from + prefix, outline))
        return 0;
    memcpy(to, from, prefix);
    if (pl_graph_sc_order(graph, NULL, head->late, order) < graph->events)
        memcpy(order, graph->order, graph->events * sizeof *order); /* weak: as it was found */
    return prefix +
           (uint32_t)pl_graph_script(graph, order, NULL, graph->events, to + prefix, outline);
}

static bool allows(void *context, const uint32_t *edges)
{
    const struct asked *a = context;
    const uint8_t *number = a->bad->number;
    uint32_t all[PL_GRAPH_CALLS] = {0};
    for (unsigned j = 0; j < a->bad->order.operations; j++)
        for (unsigned i = 0; i < a->bad->order.operations; i++)
            all[number[j]] |= (edges[j] >> i & 1) << number[i];
    return pl_graph_allows(graph, a->model, a->call, a->bad->seen.head.operations, all);
}

/* ---- deciding ---- */

/* Which clients there are; false: not known. */
static bool find_allowed(const struct pl_trial *t, const struct pl_bad *b, struct asked *asked,
                         struct pl_allowed *out)
{
    const struct pl_allowed *seen = &b->seen.allowed;
    unsigned count = b->order.operations;
    *out = (struct pl_allowed){0};
    select_rows(seen->cause, b->number, count, out->cause);
    select_rows(seen->global, b->number, count, out->global);
    for (unsigned to = 0; to < count; to++) {
        out->thread[to] = (uint8_t)pl_test_thread(t->test, b->number[to]);
        for (unsigned i = 0; i < count; i++) {
            /* that a late operation has returned orders nothing */
            bool late = t->calls[t->test->operation[b->number[i]]].marks.late;
            uint32_t barred = seen->barred[b->number[to]] >> b->number[i] & 1;
            out->barred[to] |= (late ? 1u : barred) << i;
        }
    }
    if (b->seen.head.clients != PL_CLIENTS_ASK)
        return true;
    out->asks = allows;
    out->context = asked;
    return begin_asking(asked, t->model, b);
}

enum pl_decision pl_bad_decide_clients(struct pl_trial *t, struct pl_judge *j, struct pl_bad *b,
                                       const struct pl_behaviour *behaviour)
{
    struct pl_allowed allowed;
    struct asked asked;
    if (!find_allowed(t, b, &asked, &allowed))
        return PL_NEITHER;
    enum pl_decision decision =
        pl_clients_decide(j->machine, behaviour, &allowed, t->walk, &t->deciding->budget,
                          &b->client, &t->stats.clients);
    if (decision == PL_BAD) {
        b->refuted.unjustified = b->client.unjustified;
        b->order = b->client.order;
    }
    return decision;
}

enum pl_decision pl_bad_decide_points(struct pl_trial *t, struct pl_judge *j, struct pl_bad *b,
                                      const struct pl_behaviour *behaviour)
{
    struct pl_allowed allowed;
    struct asked asked;
    if (!find_allowed(t, b, &asked, &allowed))
        return PL_NEITHER;
    const struct pl_points_found out = {&b->client, &b->mismatch, &t->stats.points,
                                        &t->stats.clients};
    return pl_points_clients(j->machine, behaviour, &b->points, &allowed, &t->deciding->budget,
                             &out, t->only_walk);
}

enum pl_decision pl_bad_decide_quasi(struct pl_trial *t, struct pl_judge *j, struct pl_bad *b,
                                     const struct pl_behaviour *behaviour)
{
    struct pl_relaxed *r = t->deciding->relaxed;
    uint8_t group[PL_MOST_CALLED];
    const struct pl_quasi quasi = {.reading = r->reading, .group = group, .factor = r->factor};
    union pl_quasi_result result = {.refuted = {.events = 0}};
    struct pl_allowed allowed;
    struct asked asked;
    const struct pl_quasi_weak clients = {&allowed, &b->client};
    const struct pl_quasi_weak *weak = b->seen.head.clients == PL_CLIENTS_NONE ? NULL : &clients;
    pl_trial_groups(t, b, group);
    if (weak && !find_allowed(t, b, &asked, &allowed))
        return PL_NEITHER;
    if (t->enumerate)
        return pl_enumerate_quasi(t->enumerate, &quasi, j->machine, behaviour, &t->deciding->budget,
                                  &b->refuted);
    enum pl_decision decision =
        r->find ? pl_quasi_factors_add(&r->found, &quasi, j->machine, behaviour, weak,
                                       &t->deciding->budget, &result, &t->stats.quasi)
                : pl_quasi_decide(&quasi, j->machine, behaviour, weak, &t->deciding->budget,
                                  &result, &t->stats.quasi);
    if (decision != PL_GOOD)
        b->refuted = result.refuted;
    t->stats.clients = t->stats.quasi.clients;
    if (decision == PL_BAD && weak)
        b->order = b->client.order;
    return decision;
}
