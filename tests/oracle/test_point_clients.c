/*
 * Linearization points under every client, against the definition. A random small program is an
 * object, some of its events are points. Every set of edges from returns to calls that the graph
 * allows is a client: with it the order of all events, (hb ∪ rf ∪ co ∪ fr)+, and happens-before are
 * closed anew, event by event, every order of the points that respects the first is listed, the
 * spec executed at the points, and the operations without a point put into every gap. The decision
 * must be the one that this gives. The number of programs is the argument (1500 without one).
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h> /* after the headers it needs */

#include "check/points.h"
#include "executions.h"
#include "explorer.h"
#include "graph/effects.h"
#include "object.h"

enum { CALLS = OR_OBJECT_CALLS, POINTS = 5, EVENTS = 40, NODES = EVENTS + 2 * CALLS };
static unsigned long programs = 1500;
static uint64_t seed;

static struct {
    unsigned long good, bad, by_client, helped, kinds[8], sets, walked, stuck, stuck_good, pending;
} total;

/* Nodes: events, by thread and index; then calls and returns, EVENTS + 2i and + 1. */
struct made {
    const struct pl_graph *g;
    const struct pl_model *model;
    struct or_object *o;
    struct pl_prng *r;
    struct or_spec spec;
    unsigned invocation[CALLS], response[CALLS];
    struct pl_graph_call call[CALLS]; /* those that never return are pending */
    bool stuck;
    unsigned first[PL_GRAPH_THREADS], events;
    unsigned points;
    struct {
        unsigned owner, node, thread, index;
    } point[POINTS];
    bool order[NODES][NODES], happens[NODES][NODES]; /* without a client, not closed */
};

/* ---- the relations ---- */

static void close_relation(bool (*r)[NODES])
{
    for (unsigned via = 0; via < NODES; via++)
        for (unsigned a = 0; a < NODES; a++)
            for (unsigned b = 0; r[a][via] && b < NODES; b++)
                r[a][b] = r[a][b] || r[via][b];
}

static unsigned node_of(const struct made *m, struct pl_ref e)
{
    return m->first[e.thread] + e.index;
}

static void relate_event(struct made *m, const struct pl_node *n)
{
    unsigned b = node_of(m, n->self);
    for (unsigned t = 0; t < m->g->threads; t++)
        for (unsigned i = 0; i < m->g->thread[t].count; i++) {
            const struct pl_node *x = &m->g->thread[t].node[i];
            unsigned a = m->first[t] + i;
            if (a == b)
                continue;
            m->happens[a][b] |= n->hb[t] > i;
            m->order[a][b] |= n->porf[t] > i;
            if (n->kind != PL_GRAPH_WRITE || n->place == PL_NOWHERE || x->location != n->location)
                continue;
            if (x->kind == PL_GRAPH_WRITE) /* co */
                m->order[a][b] |= x->place < n->place;
            else if (x->kind == PL_GRAPH_READ) /* fr */
                m->order[a][b] |= pl_is_init(x->rf) || pl_at(m->g, x->rf)->place < n->place;
        }
    if (n->kind == PL_GRAPH_WRITE && (n->flags & PL_GRAPH_F_LOCK)) {
        const struct pl_node *unlock = pl_graph_awaited(m->g, n);
        if (unlock && unlock != n) {
            m->order[node_of(m, unlock->self)][b] = true;
            m->happens[node_of(m, unlock->self)][b] |= !(n->flags & PL_GRAPH_F_QUIET);
        }
    }
}

/* A call or return stands between two events of its thread. */
static void relate_boundary(struct made *m, unsigned e)
{
    const struct pl_graph_call *c = &m->call[e / 2];
    unsigned at = e & 1 ? c->ret : c->call, node = EVENTS + e;
    if ((e & 1) && !c->returned)
        return;
    for (unsigned i = 0; i < m->g->thread[c->thread].count; i++) {
        unsigned x = m->first[c->thread] + i;
        *(i < at ? &m->happens[x][node] : &m->happens[node][x]) = true;
    }
    for (unsigned f = 0; f < e; f++)
        if (m->call[f / 2].thread == c->thread && (!(f & 1) || m->call[f / 2].returned))
            m->happens[EVENTS + f][node] = true;
}

static void relate(struct made *m)
{
    memset(m->order, 0, sizeof m->order);
    memset(m->happens, 0, sizeof m->happens);
    for (unsigned t = 0; t < m->g->threads; t++)
        for (unsigned i = 0; i < m->g->thread[t].count; i++)
            relate_event(m, &m->g->thread[t].node[i]);
    for (unsigned e = 0; e < 2 * m->o->calls; e++)
        relate_boundary(m, e);
    for (unsigned a = 0; a < NODES; a++)
        for (unsigned b = 0; b < NODES; b++)
            m->order[a][b] = m->order[a][b] || m->happens[a][b];
}

/* ---- the definition ---- */

struct client {
    const struct made *m;
    bool order[NODES][NODES], happens[NODES][NODES];
    bool earlier[POINTS][POINTS], counts[POINTS];
    unsigned line[POINTS], length, orders;
    bool placed[POINTS], good, several;
};

static bool has_point(const struct made *m, unsigned op)
{
    for (unsigned p = 0; p < m->points; p++)
        if (m->point[p].owner == op)
            return m->call[op].returned || !m->stuck;
    return false;
}

static unsigned after(const struct made *m, unsigned op, unsigned state)
{
    const struct or_cell *c = &m->spec.cell[state][m->invocation[op]];
    unsigned next = 0;
    for (unsigned a = 0; a < c->count; a++)
        if (!m->call[op].returned || c->response[a] == m->response[op])
            next |= 1u << c->next[a];
    return next;
}

/* Are the operations in their gaps in the order of happens-before? */
static bool fits(const struct client *c, unsigned op, const unsigned *gap)
{
    const struct made *m = c->m;
    for (unsigned k = 0; k < c->length; k++) {
        unsigned node = m->point[c->line[k]].node, of = EVENTS + 2 * m->point[c->line[k]].owner;
        unsigned call = EVENTS + 2 * op, ret = call + 1; /* neither the point nor its operation */
        if (k < gap[op] ? c->happens[ret][node] || c->happens[ret][of]
                        : c->happens[node][call] || c->happens[of + 1][call])
            return false;
    }
    for (unsigned i = 0; i < op; i++)
        if (!has_point(m, i) && m->call[i].returned &&
            ((c->happens[EVENTS + 2 * i + 1][EVENTS + 2 * op] && gap[i] > gap[op]) ||
             (c->happens[EVENTS + 2 * op + 1][EVENTS + 2 * i] && gap[i] < gap[op])))
            return false;
    return true;
}

static bool place(const struct client *c, const unsigned *state, unsigned op, unsigned *gap)
{
    if (op == c->m->o->calls)
        return true;
    if (has_point(c->m, op) || !c->m->call[op].returned)
        return place(c, state, op + 1, gap);
    for (gap[op] = 0; gap[op] <= c->length; gap[op]++)
        if ((after(c->m, op, state[gap[op]]) >> state[gap[op]] & 1) && fits(c, op, gap) &&
            place(c, state, op + 1, gap))
            return true;
    return false;
}

static bool is_line_good(struct client *c)
{
    const struct made *m = c->m;
    unsigned state[POINTS + 1] = {0}, gap[CALLS];
    for (unsigned k = 0; k < c->length; k++) {
        unsigned p = c->line[k], op = m->point[p].owner, node = m->point[p].node;
        bool last = true;
        for (unsigned j = k + 1; j < c->length; j++)
            last = last && m->point[c->line[j]].owner != op;
        state[k + 1] = state[k];
        if (!last)
            continue;
        unsigned next = after(m, op, state[k]);
        c->several = c->several || (next & (next - 1));
        if (!next || c->happens[node][EVENTS + 2 * op] || c->happens[EVENTS + 2 * op + 1][node])
            return false;
        state[k + 1] = (unsigned)__builtin_ctz(next);
    }
    for (unsigned i = 0; i < m->o->calls; i++) /* what hangs has to */
        if (m->stuck && !m->call[i].returned &&
            m->spec.cell[state[c->length]][m->invocation[i]].count)
            return false;
    return place(c, state, 0, gap);
}

static void list(struct client *c)
{
    const struct made *m = c->m;
    bool more = false;
    for (unsigned p = 0; p < m->points; p++) {
        bool ready = c->counts[p] && !c->placed[p];
        more = more || ready;
        for (unsigned q = 0; q < m->points; q++)
            ready = ready && (!c->counts[q] || c->placed[q] || q == p || !c->earlier[q][p]);
        for (unsigned q = 0; q < m->points && c->length; q++) { /* nothing between those of one */
            unsigned last = m->point[c->line[c->length - 1]].node;
            ready = ready && (!c->counts[q] || c->placed[q] || m->point[q].node != last ||
                              m->point[p].node == last);
        }
        if (!ready)
            continue;
        c->placed[p] = true;
        c->line[c->length++] = p;
        list(c);
        c->length--;
        c->placed[p] = false;
    }
    if (!more)
        c->good = is_line_good(c) && c->good;
}

static void close_points(struct client *c)
{
    for (unsigned via = 0; via < c->m->points; via++)
        for (unsigned p = 0; p < c->m->points; p++)
            for (unsigned q = 0; q < c->m->points; q++)
                c->earlier[p][q] |= c->earlier[p][via] && c->earlier[via][q];
}

static bool is_over(const struct client *c, unsigned p, unsigned q)
{
    return c->happens[EVENTS + 2 * c->m->point[p].owner + 1][EVENTS + 2 * c->m->point[q].owner];
}

/* Points in the order of the events; the last of an operation counts. Then those that count in the
 * order of their operations, too. Those of one event are as one. */
static void order_points(struct client *c)
{
    const struct made *m = c->m;
    for (unsigned p = 0; p < m->points; p++)
        for (unsigned q = 0; q < m->points; q++)
            c->earlier[p][q] = m->point[p].node == m->point[q].node ||
                               c->order[m->point[p].node][m->point[q].node];
    for (unsigned p = 0; p < m->points; p++) {
        c->counts[p] = has_point(m, m->point[p].owner);
        for (unsigned q = 0; q < m->points; q++)
            if (m->point[p].owner == m->point[q].owner &&
                (m->point[p].node == m->point[q].node ? p < q
                                                      : c->earlier[p][q] && !c->earlier[q][p]))
                c->counts[p] = false;
    }
    for (unsigned p = 0; p < m->points; p++)
        for (unsigned q = 0; q < m->points; q++)
            c->earlier[p][q] |= c->counts[p] && c->counts[q] && is_over(c, p, q);
    close_points(c);
    for (unsigned p = 0; p < m->points; p++)
        for (unsigned q = 0; q < m->points; q++)
            if (m->point[p].node == m->point[q].node) /* in their order, unless that is absurd */
                c->earlier[p][q] = p < q || (c->counts[p] && c->counts[q] && is_over(c, p, q));
}

/* One client: is it good? `several` where the decider may say that it does not know. */
static bool is_good(const struct made *m, const uint32_t *edges, bool *several)
{
    static struct client c;
    memset(&c, 0, sizeof c);
    c.m = m;
    c.good = true;
    memcpy(c.order, m->order, sizeof c.order);
    memcpy(c.happens, m->happens, sizeof c.happens);
    for (unsigned j = 0; j < m->o->calls; j++)
        for (unsigned i = 0; i < m->o->calls; i++)
            if (edges[j] >> i & 1)
                c.order[EVENTS + 2 * i + 1][EVENTS + 2 * j] =
                    c.happens[EVENTS + 2 * i + 1][EVENTS + 2 * j] = true;
    close_relation(c.order);
    close_relation(c.happens);
    order_points(&c);
    for (unsigned p = 0; p < m->points; p++)
        for (unsigned q = 0; q < p; q++)
            if (c.counts[p] && c.counts[q] && c.earlier[p][q] && c.earlier[q][p])
                return false;
    list(&c);
    *several = *several || c.several;
    return c.good;
}

/* ---- random points and answers ---- */

static void add_point(struct made *m, unsigned owner, unsigned of)
{
    const struct pl_graph_call *c = &m->call[of];
    if (c->call == c->ret || m->points == POINTS)
        return;
    unsigned index = c->call + pl_prng_below(m->r, (uint32_t)(c->ret - c->call));
    const struct pl_node *n = &m->g->thread[c->thread].node[index];
    index += n->kind == PL_GRAPH_READ && (n->flags & PL_GRAPH_F_RMW); /* it comes after both */
    m->point[m->points].owner = owner;
    m->point[m->points].thread = c->thread;
    m->point[m->points].index = index;
    m->point[m->points++].node = m->first[c->thread] + index;
}

/* Answers of some order of the operations, that of the points if it is simple. */
static void make_answers(struct made *m)
{
    unsigned left = m->o->calls, done = 0, state = 0, tries = 0;
    while (left) {
        unsigned i = pl_prng_below(m->r, m->o->calls);
        bool early = false;
        for (unsigned p = 0; p < m->points && tries < 60; p++)
            for (unsigned q = 0; q < m->points; q++)
                early = early ||
                        (m->point[q].owner == i && !(done >> m->point[p].owner & 1) &&
                         m->point[p].owner != i && m->order[m->point[p].node][m->point[q].node]);
        if ((done >> i & 1) || (early && ++tries < 60))
            continue;
        const struct or_cell *c = &m->spec.cell[state][m->invocation[i]];
        if (!c->count || (m->stuck && !m->call[i].returned)) { /* it hangs, or that is wrong */
            done |= 1u << i;
            left--;
            continue;
        }
        unsigned a = pl_prng_below(m->r, c->count);
        for (unsigned k = 0; k < c->count && !has_point(m, i); k++)
            a = c->next[k] == state ? k : a;
        m->response[i] = c->response[a];
        state = has_point(m, i) ? c->next[a] : state;
        done |= 1u << i;
        left--;
    }
}

static void make(struct made *m)
{
    struct or_shape shape = {.nondeterministic = pl_prng_below(m->r, 4) == 0, .blocking = m->stuck};
    or_random_spec(m->r, &shape, &m->spec);
    m->points = 0;
    unsigned marked = 40 + pl_prng_below(m->r, 61);
    for (unsigned i = 0; i < m->o->calls; i++) {
        m->invocation[i] = pl_prng_below(m->r, m->spec.invocations);
        if (pl_prng_below(m->r, 100) >= marked)
            continue;
        bool helped = pl_prng_below(m->r, 8) == 0;
        unsigned of = helped ? pl_prng_below(m->r, m->o->calls) : i;
        total.helped += of != i;
        add_point(m, i, of);
        if (pl_prng_below(m->r, 5) == 0)
            add_point(m, i, i);
    }
    make_answers(m);
}

/* Some last calls of threads do not return; the rest of their threads' events is not looked at. */
static void hang(struct made *m)
{
    bool any = false;
    bool some = pl_prng_below(m->r, 3) == 0;
    for (unsigned i = 0; i < m->o->calls && some; i++) {
        bool last = i + 1 == m->o->calls || m->call[i + 1].thread != m->call[i].thread;
        if (!last || pl_prng_below(m->r, 3) > 0)
            continue;
        m->call[i].returned = false;
        any = true;
    }
    m->stuck = any && pl_prng_below(m->r, 2) == 0;
    total.stuck += m->stuck;
    total.pending += any && !m->stuck;
}

/* ---- the decider ---- */

static bool ask(void *context, const uint32_t *edges)
{
    const struct made *m = context;
    return pl_graph_allows(m->g, m->model, m->call, m->o->calls, edges);
}

static enum pl_decision decide(struct made *m, struct pl_client *client, struct pl_mismatch *wrong)
{
    static const struct pl_budget none;
    struct or_machine machine = or_machine_of(&m->spec);
    struct pl_clients clients = {0};
    struct pl_allowed allowed = {.context = m};
    struct pl_order order = {.operations = m->o->calls};
    struct pl_called called[CALLS];
    struct pl_behaviour behaviour = {.order = &order, .called = called, .stuck = m->stuck};
    struct pl_graph_effect effect[POINTS];
    struct pl_graph_effect_order at[POINTS];
    struct pl_points points = {.count = m->points};
    struct pl_points_stats stats = {0};
    struct pl_clients_stats sets = {0};
    pl_graph_clients(m->g, m->model, m->call, m->o->calls, &clients);
    memcpy(order.before, clients.order, sizeof clients.order);
    memcpy(allowed.cause, clients.cause, sizeof allowed.cause);
    memcpy(allowed.global, clients.global, sizeof allowed.global);
    memcpy(allowed.barred, clients.barred, sizeof allowed.barred);
    allowed.asks = clients.exact ? NULL : ask;
    for (unsigned i = 0; i < m->o->calls; i++) {
        order.pending |= (uint32_t)!m->call[i].returned << i;
        allowed.thread[i] = m->call[i].thread;
        called[i] = (struct pl_called){.invocation = m->invocation[i], .response = m->response[i]};
    }
    for (unsigned p = 0; p < m->points; p++)
        effect[p] = (struct pl_graph_effect){.thread = (uint8_t)m->point[p].thread,
                                             .event = (uint16_t)m->point[p].index};
    pl_graph_effects(m->g, false, m->call, m->o->calls, effect, m->points, at, points.reach);
    for (unsigned p = 0; p < m->points; p++)
        points.at[p] = (struct pl_point){.operation = (uint8_t)m->point[p].owner,
                                         .before = at[p].before,
                                         .after = at[p].after,
                                         .earlier = at[p].earlier,
                                         .with = at[p].with,
                                         .past = at[p].past,
                                         .future = at[p].future};
    struct pl_mismatch unused;
    struct pl_client other;
    const struct pl_points_found searched = {client, wrong, &stats, &sets},
                                 shortened = {&other, &unused, &stats, &sets};
    enum pl_decision decision =
        pl_points_clients(&machine.machine, &behaviour, &points, &allowed, &none, &searched, true);
    enum pl_decision fast = pl_points_clients(&machine.machine, &behaviour, &points, &allowed,
                                              &none, &shortened, false);
    if (fast != decision)
        fail_msg("seed %llu under %s: %d by the search, %d with the shortcut",
                 (unsigned long long)seed, m->model->name, (int)decision, (int)fast);
    total.sets += sets.sets;
    total.walked += sets.walked;
    if (decision == PL_GOOD) { /* then it is linearizable, whatever the client */
        if (pl_clients_decide(&machine.machine, &behaviour, &allowed, NULL, &none, &other, &sets) !=
            PL_GOOD)
            fail_msg("seed %llu under %s: good by the points, but not linearizable",
                     (unsigned long long)seed, m->model->name);
    }
    return decision;
}

static void each_graph(void *context, const struct pl_graph *g, const char *outcome)
{
    struct made *m = context;
    struct pl_client client;
    struct pl_mismatch wrong;
    bool good = true, alone = true, several = false;
    (void)outcome;
    m->g = g;
    or_object_calls(m->o, g, m->call);
    m->events = 0;
    for (unsigned t = 0; t < g->threads; t++) {
        m->first[t] = m->events;
        m->events += g->thread[t].count;
    }
    if (m->o->pairs > 8 || m->events > EVENTS)
        return;
    hang(m);
    relate(m);
    make(m);
    for (unsigned s = 0; s < 1u << m->o->pairs; s++) {
        uint32_t edges[PL_GRAPH_CALLS] = {0};
        bool is = true;
        for (unsigned k = 0; k < m->o->pairs; k++) {
            edges[m->o->pair[k].to] |= (s >> k & 1) << m->o->pair[k].from;
            is = is && (m->call[m->o->pair[k].from].returned || !(s >> k & 1));
        }
        if (!is || !pl_graph_allows(g, m->model, m->call, m->o->calls, edges))
            continue;
        bool this = is_good(m, edges, &several);
        good = good && this;
        alone = s ? alone : this;
    }
    if (several)
        return;
    enum pl_decision decision = decide(m, &client, &wrong);
    if (decision != (good ? PL_GOOD : PL_BAD))
        fail_msg("seed %llu under %s: %s by the definition, not by the decider",
                 (unsigned long long)seed, m->model->name, good ? "good" : "bad");
    total.good += good;
    total.stuck_good += good && m->stuck;
    total.bad += !good;
    total.by_client += alone && !good;
    total.kinds[wrong.kind]++;
    if (good)
        return;
    bool ignored = false; /* the client that is shown is one, and bad */
    assert_true(pl_graph_allows(g, m->model, m->call, m->o->calls, client.edges));
    if (is_good(m, client.edges, &ignored))
        fail_msg("seed %llu under %s: the client that is shown is good (mismatch %u)",
                 (unsigned long long)seed, m->model->name, wrong.kind);
}

static void points_of_clients_are_those_of_the_definition(void **state)
{
    (void)state;
    static struct or_object o;
    static struct made m;
    for (seed = 1; seed <= programs; seed++) {
        struct pl_prng r;
        pl_prng_init(&r, seed);
        or_object_make(&o, seed, &r);
        for (int model = 0; model < OR_MODELS; model++) {
            if (model == OR_MODEL_SC)
                continue;
            m.o = &o;
            m.r = &r;
            m.model = pl_model_named(or_model_name((enum or_model)model));
            struct or_explored explored =
                or_explore_each(&o.p, (enum or_model)model, each_graph, &m);
            if (explored.failure)
                fail_msg("%s: %s", o.p.name, explored.failure);
        }
    }
    print_message("%lu programs: %lu good, %lu bad, of these %lu by a client that synchronises; "
                  "%lu sets looked at; %lu good as under a clock\n",
                  programs, total.good, total.bad, total.by_client, total.sets, total.walked);
    for (unsigned k = PL_MISMATCH_CYCLE; k <= PL_MISMATCH_WAITS; k++)
        print_message("mismatch %u: %lu\n", k, total.kinds[k]);
    assert_true(total.good > programs / 5 && total.bad > programs / 5);
    assert_true(total.by_client > programs / 100 && total.helped > programs / 20);
    assert_true(total.walked > programs / 20);
    assert_true(total.stuck > programs / 20 && total.pending > programs / 20);
    assert_true(total.kinds[PL_MISMATCH_CYCLE] && total.kinds[PL_MISMATCH_OUTSIDE] &&
                total.kinds[PL_MISMATCH_WAITS] && total.stuck_good);
}

int main(int argc, char **argv)
{
    if (argc > 1)
        programs = strtoul(argv[1], NULL, 10);
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(points_of_clients_are_those_of_the_definition),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
