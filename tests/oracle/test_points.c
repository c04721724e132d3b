/*
 * Linearization points against the definition, on random small executions: every order of calls,
 * points and returns is listed, the spec executed at the points, each moment tried. The number of
 * executions is the argument (20,000 without one); the seed of one that fails is printed.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h> /* after the headers it needs */

#include "base/prng.h"
#include "check/points.h"
#include "executions.h"

enum { OPS = 5, POINTS = 6, NODES = 2 * OPS + POINTS, MOST_ORDERS = 100000 };

static unsigned long executions = 20000;
static uint64_t seed;

/* Nodes: calls 2i and returns 2i + 1 of operations, then points. */
struct made {
    struct or_spec spec;
    unsigned ops, points, nodes;
    unsigned thread[OPS], invocation[OPS], response[OPS], owner[POINTS];
    bool pending[OPS];
    bool joined[POINTS]; /* at the same access as the point before it */
    bool stuck, exists[NODES];
    unsigned line[NODES], length; /* one history */
    unsigned thread_of[NODES];
    bool order[NODES][NODES];   /* closed: what is known of the order, of time or of all */
    bool happens[NODES][NODES]; /* closed: no clock: happens before */
    bool clocked;
};

#define CLAIM(claim)                                                                               \
    do {                                                                                           \
        if (!(claim)) {                                                                            \
            printf("seed %llu\n", (unsigned long long)seed);                                       \
            print(m);                                                                              \
            fail_msg("%s", #claim);                                                                \
        }                                                                                          \
    } while (0)

static void print(const struct made *m)
{
    for (unsigned i = 0; i < m->ops; i++)
        printf("operation %u: thread %u invocation %u response %u%s\n", i, m->thread[i],
               m->invocation[i], m->response[i], m->pending[i] ? " pending" : "");
    for (unsigned k = 0; k < m->length; k++)
        printf(m->line[k] < 2 * OPS              ? (m->line[k] & 1 ? " ret%u" : " call%u")
               : m->joined[m->line[k] - 2 * OPS] ? "+point%u"
                                                 : " point%u",
               m->line[k] < 2 * OPS ? m->line[k] / 2 : m->line[k] - 2 * OPS);
    printf("\n%s%s\n", m->clocked ? "clocked" : "no clock", m->stuck ? " stuck" : "");
}

/* ---- the definition ---- */

/* The states an operation leads to with its answer; a set. */
static unsigned after(const struct made *m, unsigned op, unsigned state)
{
    unsigned next = 0;
    for (unsigned a = 0; a < m->spec.cell[state][m->invocation[op]].count; a++)
        if (m->pending[op] || m->spec.cell[state][m->invocation[op]].response[a] == m->response[op])
            next |= 1u << m->spec.cell[state][m->invocation[op]].next[a];
    return next;
}

static bool blocks(const struct made *m, unsigned op, unsigned state)
{
    return !m->spec.cell[state][m->invocation[op]].count;
}

static bool has_point(const struct made *m, unsigned op)
{
    for (unsigned p = 0; p < m->points; p++)
        if (m->owner[p] == op && !(m->stuck && m->pending[op]))
            return true;
    return false;
}

static bool stays(const struct made *m, unsigned op, unsigned state)
{
    return after(m, op, state) >> state & 1;
}

/* The state after a point that is the last of its operation; false: it is wrong there. */
static bool effect(const struct made *m, unsigned op, unsigned *state, bool *several)
{
    unsigned next = after(m, op, *state);
    *several = *several || (next & (next - 1));
    if (!next)
        return false;
    *state = (unsigned)__builtin_ctz(next);
    return true;
}

static bool ends_well(const struct made *m, unsigned state)
{
    for (unsigned i = 0; i < m->ops; i++)
        if (m->stuck && m->pending[i] && !blocks(m, i, state))
            return false;
    return true;
}

/* One history: calls, points and returns in a line. */
static bool is_history_good(const struct made *m, const unsigned *line, unsigned length,
                            bool *several)
{
    bool called[OPS] = {false}, returned[OPS] = {false}, met[OPS] = {false};
    unsigned state = 0;
    for (unsigned k = 0; k < length; k++) {
        unsigned node = line[k], op = node < 2 * OPS ? node / 2 : m->owner[node - 2 * OPS];
        if (node < 2 * OPS && !(node & 1)) {
            called[op] = true;
        } else if (node < 2 * OPS) {
            returned[op] = true;
            if (!has_point(m, op) && !met[op])
                return false;
        } else if (!(m->stuck && m->pending[op])) {
            bool last = true;
            for (unsigned j = k + 1; j < length; j++)
                last = last && !(line[j] >= 2 * OPS && m->owner[line[j] - 2 * OPS] == op);
            if (last && (!called[op] || returned[op] || !effect(m, op, &state, several)))
                return false;
        }
        for (unsigned i = 0; i < m->ops; i++)
            met[i] = met[i] || (called[i] && !returned[i] && stays(m, i, state));
    }
    return ends_well(m, state);
}

/* No clock: one order of the points; the operations without one are put into gaps. */
static bool place_loose(const struct made *m, const unsigned *state_at, const unsigned *line,
                        unsigned length, unsigned op, unsigned *gap)
{
    if (op == m->ops)
        return true;
    if (has_point(m, op) || m->pending[op])
        return place_loose(m, state_at, line, length, op + 1, gap);
    for (unsigned g = 0; g <= length; g++) {
        bool fits = stays(m, op, state_at[g]);
        for (unsigned k = 0; k < length; k++) { /* neither the point nor its operation */
            unsigned of = m->owner[line[k] - 2 * OPS];
            fits = fits && !(k < g ? m->happens[2 * op + 1][line[k]] : m->happens[line[k]][2 * op]);
            fits =
                fits && !(k < g ? m->happens[2 * op + 1][2 * of] : m->happens[2 * of + 1][2 * op]);
        }
        for (unsigned i = 0; i < op; i++)
            if (!has_point(m, i) && !m->pending[i])
                fits = fits && !(m->happens[2 * i + 1][2 * op] && gap[i] > g) &&
                       !(m->happens[2 * op + 1][2 * i] && gap[i] < g);
        gap[op] = g;
        if (fits && place_loose(m, state_at, line, length, op + 1, gap))
            return true;
    }
    return false;
}

static bool is_order_good(const struct made *m, const unsigned *line, unsigned length,
                          bool *several)
{
    unsigned state_at[POINTS + 1] = {0}, gap[OPS];
    for (unsigned k = 0; k < length; k++) {
        unsigned op = m->owner[line[k] - 2 * OPS], state = state_at[k];
        bool last = true;
        for (unsigned j = k + 1; j < length; j++)
            last = last && m->owner[line[j] - 2 * OPS] != op;
        if (last && (m->happens[line[k]][2 * op] || m->happens[2 * op + 1][line[k]] ||
                     !effect(m, op, &state, several)))
            return false;
        state_at[k + 1] = state;
    }
    return place_loose(m, state_at, line, length, 0, gap) && ends_well(m, state_at[length]);
}

/* Of stuck pending operations none does; without a clock none that another one always follows. */
static bool counts(const struct made *m, unsigned point)
{
    bool superseded = false;
    for (unsigned p = 0; p < m->points && !m->clocked; p++)
        superseded = superseded ||
                     (m->owner[p] == m->owner[point] && m->order[2 * OPS + point][2 * OPS + p] &&
                      !m->order[2 * OPS + p][2 * OPS + point]);
    return !superseded && !(m->stuck && m->pending[m->owner[point]]);
}

static bool same_access(const struct made *m, unsigned p, unsigned q)
{
    for (unsigned k = (p < q ? p : q) + 1; k <= (p < q ? q : p); k++)
        if (!m->joined[k])
            return false;
    return true;
}

/* Between points of one access nothing comes: is the node the next one of those, if there are? */
static bool may_come(const struct made *m, unsigned node, unsigned last, const bool *placed)
{
    for (unsigned p = 0; p < m->points && last >= 2 * OPS; p++)
        if (same_access(m, p, last - 2 * OPS) && counts(m, p) && !placed[2 * OPS + p] &&
            !(node >= 2 * OPS && same_access(m, p, node - 2 * OPS)))
            return false;
    return true;
}

struct listing {
    const struct made *m;
    unsigned line[NODES], length, orders;
    bool placed[NODES], several, good;
};

static void list(struct listing *l)
{
    const struct made *m = l->m;
    bool more = false;
    for (unsigned n = 0; n < 2 * OPS + m->points; n++) {
        bool ready = m->exists[n] && !l->placed[n] && (m->clocked || n >= 2 * OPS);
        if (n >= 2 * OPS && !counts(m, n - 2 * OPS))
            ready = false;
        more = more || ready;
        for (unsigned b = 0; ready && b < 2 * OPS + m->points; b++)
            if (b != n && m->exists[b] && m->order[b][n] && !l->placed[b] &&
                (m->clocked || b >= 2 * OPS) && !(b >= 2 * OPS && !counts(m, b - 2 * OPS)))
                ready = false;
        ready = ready && (!l->length || may_come(m, n, l->line[l->length - 1], l->placed));
        if (!ready || l->orders > MOST_ORDERS)
            continue;
        l->placed[n] = true;
        l->line[l->length++] = n;
        list(l);
        l->length--;
        l->placed[n] = false;
    }
    if (more)
        return;
    l->orders++;
    l->good = l->good && (m->clocked ? is_history_good(m, l->line, l->length, &l->several)
                                     : is_order_good(m, l->line, l->length, &l->several));
}

static bool has_cycle(const struct made *m)
{
    for (unsigned p = 0; p < m->points; p++)
        for (unsigned q = 0; q < p; q++)
            if (counts(m, p) && counts(m, q) && m->order[2 * OPS + p][2 * OPS + q] &&
                m->order[2 * OPS + q][2 * OPS + p])
                return true;
    return false;
}

/* ---- random executions ---- */

static void close_relation(bool (*r)[NODES])
{
    for (unsigned via = 0; via < NODES; via++)
        for (unsigned a = 0; a < NODES; a++)
            for (unsigned b = 0; b < NODES; b++)
                r[a][b] = r[a][b] || (r[a][via] && r[via][b]);
}

static void add_node(struct made *m, unsigned node, unsigned thread)
{
    m->exists[node] = true;
    m->thread_of[node] = thread;
    m->line[m->length++] = node;
}

static void add_point(struct made *m, struct pl_prng *r, unsigned owner, unsigned thread)
{
    if (m->points == POINTS)
        return;
    (void)r;
    m->owner[m->points] = owner;
    add_node(m, 2 * OPS + m->points++, thread);
}

/* Takes effect: what it answers, now and then something else; the state after it. */
static unsigned answer(struct made *m, struct pl_prng *r, unsigned i, unsigned state,
                       unsigned wrong)
{
    const struct or_cell *c = &m->spec.cell[state][m->invocation[i]];
    if (c->count) {
        unsigned a = pl_prng_below(r, c->count);
        m->response[i] = c->response[a];
        state = c->next[a];
    }
    if (pl_prng_below(r, 100) < wrong)
        m->response[i] = pl_prng_below(r, 3);
    return state;
}

/* A run: operations are called, take effect and return in a random order. */
static void make_run(struct made *m, struct pl_prng *r, unsigned loose, unsigned wrong)
{
    enum { IDLE, CALLED, DONE } at[OPS] = {IDLE};
    unsigned state = 0, left = m->ops;
    while (left) {
        unsigned i = pl_prng_below(r, m->ops);
        bool waits = false;
        for (unsigned k = 0; k < i; k++) /* one after the other on a thread */
            waits = waits || (m->thread[k] == m->thread[i] && !m->exists[2 * k + 1]);
        if (waits || (at[i] == DONE && (m->pending[i] || m->exists[2 * i + 1])))
            continue;
        if (at[i] == IDLE) {
            add_node(m, 2 * i, m->thread[i]);
            at[i] = CALLED;
        } else if (at[i] == CALLED) {
            unsigned by = m->thread[i], next = answer(m, r, i, state, wrong);
            unsigned before;
            at[i] = DONE;
            left -= m->pending[i];
            if (pl_prng_below(r, 8) == 0) /* an earlier one that does not count */
                add_point(m, r, i, by);
            for (unsigned k = 0; k < m->ops; k++) /* somebody helps */
                if (k != i && at[k] == CALLED && pl_prng_below(r, 6) == 0)
                    by = m->thread[k];
            before = m->points;
            if (next != state ? pl_prng_below(r, 100) >= wrong / 2 : pl_prng_below(r, 100) >= loose)
                add_point(m, r, i, by);
            state = next;
            for (unsigned k = 0; k < m->ops; k++) { /* and another one at the same access */
                if (at[k] != CALLED || m->points == before || m->points == POINTS ||
                    pl_prng_below(r, 3) > 0)
                    continue;
                state = answer(m, r, k, state, wrong);
                at[k] = DONE;
                left -= m->pending[k];
                m->joined[m->points] = true;
                add_point(m, r, k, by);
            }
        } else {
            add_node(m, 2 * i + 1, m->thread[i]);
            left--;
        }
    }
}

/* What orders one point of an access orders them all. */
static void join_accesses(const struct made *m, bool (*r)[NODES])
{
    for (unsigned p = 1; p < m->points; p++)
        for (unsigned n = 0; n < NODES && m->joined[p]; n++) {
            unsigned x = 2 * OPS + p - 1, y = x + 1;
            if (n == x || n == y)
                continue;
            r[n][x] = r[n][y] = r[n][x] || r[n][y];
            r[x][n] = r[y][n] = r[x][n] || r[y][n];
        }
}

static void make(struct made *m, struct pl_prng *r)
{
    struct or_shape shape = or_execution_shape(r);
    *m = (struct made){.ops = 1 + pl_prng_below(r, OPS), .clocked = pl_prng_below(r, 3) > 0};
    unsigned threads = 1 + pl_prng_below(r, 3), kept = pl_prng_below(r, 101);
    shape.nondeterministic = pl_prng_below(r, 4) == 0;
    or_random_spec(r, &shape, &m->spec);
    bool stuck = pl_prng_below(r, 5) == 0;
    for (unsigned i = 0; i < m->ops; i++) {
        m->thread[i] = pl_prng_below(r, threads);
        m->invocation[i] = pl_prng_below(r, m->spec.invocations);
        for (unsigned k = 0; k < i; k++)
            if (m->thread[k] == m->thread[i] && m->pending[k])
                m->thread[i] = threads++;
        m->pending[i] = pl_prng_below(r, 6) == 0;
        m->stuck = m->stuck || (stuck && m->pending[i]);
    }
    make_run(m, r, pl_prng_below(r, 101), pl_prng_below(r, 2) ? 0 : pl_prng_below(r, 30));
    for (unsigned a = 0; a < m->length; a++)
        for (unsigned b = a + 1; b < m->length; b++) {
            unsigned x = m->line[a], y = m->line[b];
            bool always = m->thread_of[x] == m->thread_of[y];
            m->happens[x][y] = always || pl_prng_below(r, 100) < kept / 3;
            m->order[x][y] = m->happens[x][y] || pl_prng_below(r, 100) < kept;
            if (!m->clocked && x >= 2 * OPS && y >= 2 * OPS && pl_prng_below(r, 60) == 0)
                m->order[y][x] = true; /* weak memory */
        }
    for (unsigned turn = 0; turn < POINTS; turn++) {
        join_accesses(m, m->order);
        join_accesses(m, m->happens);
        close_relation(m->order);
        close_relation(m->happens);
    }
    for (unsigned p = 0; p < m->points; p++)
        for (unsigned q = 0; q <= p; q++)
            if (same_access(m, p, q))
                m->order[2 * OPS + p][2 * OPS + q] = m->happens[2 * OPS + p][2 * OPS + q] = false;
}

static void to_points(const struct made *m, struct pl_points *out, struct pl_order *order,
                      struct pl_called *called)
{
    const bool(*time)[NODES] = m->clocked ? m->order : m->happens;
    *out = (struct pl_points){.count = m->points, .clocked = m->clocked};
    *order = (struct pl_order){.operations = m->ops};
    for (unsigned i = 0; i < m->ops; i++) {
        order->pending |= (uint32_t)m->pending[i] << i;
        called[i] = (struct pl_called){.invocation = m->invocation[i],
                                       .response = (pl_value)m->response[i],
                                       .thread = m->thread[i]};
    }
    for (unsigned e = 0; e < 2 * m->ops; e++)
        for (unsigned b = 0; b < 2 * m->ops; b++)
            order->before[e] |= (uint64_t)(m->exists[e] && m->exists[b] && time[b][e]) << b;
    for (unsigned p = 0; p < m->points; p++) {
        struct pl_point *to = &out->at[p];
        to->operation = (uint8_t)m->owner[p];
        for (unsigned e = 0; e < 2 * m->ops; e++) {
            to->before |= (uint64_t)(m->exists[e] && time[e][2 * OPS + p]) << e;
            to->after |= (uint64_t)(m->exists[e] && time[2 * OPS + p][e]) << e;
        }
        for (unsigned q = 0; q < m->points; q++) {
            to->earlier |= (uint64_t)(q != p && m->order[2 * OPS + q][2 * OPS + p]) << q;
            to->with |= (uint64_t)(q != p && same_access(m, p, q)) << q;
        }
    }
}

/* The history that is shown can be one of the execution, and however it goes on, it is bad. */
static bool is_shown_bad(const struct made *m, const struct pl_mismatch *wrong)
{
    unsigned line[NODES], length = 0;
    bool placed[NODES] = {false}, several = false, more = true;
    for (unsigned k = 0; k < wrong->events; k++) {
        unsigned e = wrong->event[k], n = e < 64 ? e : 2 * OPS + e - 64;
        for (unsigned b = 0; b < 2 * OPS + m->points; b++)
            if (m->exists[b] && m->order[b][n] && !placed[b] &&
                !(b >= 2 * OPS && !counts(m, b - 2 * OPS)))
                return false;
        if (placed[n])
            return false;
        placed[n] = true;
        line[length++] = n;
    }
    while (more) {
        more = false;
        for (unsigned n = 0; n < 2 * OPS + m->points; n++) {
            bool ready = m->exists[n] && !placed[n];
            for (unsigned b = 0; ready && b < 2 * OPS + m->points; b++)
                ready = !m->exists[b] || !m->order[b][n] || placed[b];
            ready = ready && (!length || may_come(m, n, line[length - 1], placed));
            if (!ready)
                continue;
            placed[n] = more = true;
            line[length++] = n;
        }
    }
    return !is_history_good(m, line, length, &several);
}

static void decider_agrees_with_the_definition(void **unused)
{
    (void)unused;
    unsigned long met[2][2] = {{0}}, kinds[8] = {0}, skipped = 0, loose = 0;
    for (seed = 1; seed <= executions; seed++) {
        struct pl_prng r;
        static struct made made;
        struct made *m = &made;
        struct pl_points points;
        struct pl_order order;
        struct pl_called called[OPS];
        struct pl_mismatch wrong;
        struct pl_points_stats stats = {0};
        struct pl_refuted refuted;
        pl_prng_init(&r, seed);
        make(m, &r);
        struct listing l = {.m = m, .good = true};
        bool cycle = !m->clocked && has_cycle(m);
        if (!cycle)
            list(&l);
        if (l.orders > MOST_ORDERS) {
            skipped++;
            continue;
        }
        to_points(m, &points, &order, called);
        struct or_machine table = or_machine_of(&m->spec);
        struct pl_behaviour behaviour = {&order, called, m->stuck};
        enum pl_decision decision =
            pl_points_decide(&table.machine, &behaviour, &points, NULL, &wrong, &stats);
        if (l.several) { /* the decider may say that it does not know */
            skipped++;
            continue;
        }
        bool good = l.good && !cycle;
        CLAIM(decision == (good ? PL_GOOD : PL_BAD));
        CLAIM((wrong.kind == PL_MISMATCH_NONE) == good);
        CLAIM(!cycle || wrong.kind == PL_MISMATCH_CYCLE);
        CLAIM(good || !m->clocked || is_shown_bad(m, &wrong));
        kinds[wrong.kind]++;
        met[m->clocked][good]++;
        if (good && m->clocked) { /* then it is linearizable */
            struct pl_walk *walk = pl_walk_new();
            CLAIM(pl_walk(walk, &table.machine, &behaviour, NULL, &refuted) == PL_GOOD);
            pl_walk_free(walk);
        }
        for (unsigned i = 0; i < m->ops && good; i++)
            loose += !has_point(m, i) && !m->pending[i];
    }
    printf(
        "clock: %lu good, %lu bad; no clock: %lu, %lu; skipped %lu; without a point in good ones: "
        "%lu\n",
        met[1][1], met[1][0], met[0][1], met[0][0], skipped, loose);
    for (unsigned k = 1; k <= PL_MISMATCH_WAITS; k++) {
        printf("mismatch %u: %lu\n", k, kinds[k]);
        assert_true(kinds[k] > executions / 2000);
    }
    assert_true(met[0][0] > executions / 50 && met[0][1] > executions / 50);
    assert_true(met[1][0] > executions / 50 && met[1][1] > executions / 50);
    assert_true(loose > executions / 50 && skipped < executions / 3);
}

int main(int argc, char **argv)
{
    if (argc > 1)
        executions = strtoul(argv[1], NULL, 10);
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(decider_agrees_with_the_definition),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
