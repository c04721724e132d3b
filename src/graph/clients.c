/*
 * What a graph says of its clients: clients.h. Sets of points are words of bits, so an edge costs
 * one operation, and a view is turned into such a set by a table:
 *
 *     points:     call 0   return 0   call 1 …           of one thread, in its order
 *     events:   e₀  │  e₁  e₂  │   e₃    │  …
 *     made[t]:  0   1          2         3  …            made[t][v]: the points before its event v
 */
#include "graph/clients.h"

#include <string.h>

#include "graph/clients_internal.h"

/* One projection a process: no two calls at once. */
struct pl_clients_work pl_clients_work;
#define work pl_clients_work

static uint64_t lowest(uint64_t set)
{
    return set & -set;
}

static unsigned index_of(unsigned point)
{
    return point & 1 ? work.call[point / 2].ret : work.call[point / 2].call;
}

const struct pl_node *pl_clients_unlock(const struct pl_node *last)
{
    if (last->kind != PL_GRAPH_WRITE || !(last->flags & PL_GRAPH_F_LOCK))
        return NULL;
    const struct pl_node *unlock = pl_graph_awaited(work.g, last);
    return unlock == last ? NULL : unlock;
}

/* The last event before a point; NULL: there is none. */
static const struct pl_node *last_before(unsigned point)
{
    unsigned at = index_of(point);
    return at ? &work.g->thread[work.call[point / 2].thread].node[at - 1] : NULL;
}

/* ---- sc: the points before each event ---- */

static uint64_t sc_before[PL_GRAPH_THREADS][PL_GRAPH_LENGTH];

/* Joins what comes before `from`, if that is known already. */
static bool add(uint64_t *to, struct pl_ref from, const uint32_t *done)
{
    if (from.index >= done[from.thread])
        return false;
    *to |= sc_before[from.thread][from.index];
    return true;
}

/* The readers of the write before this one in co come before it; so does that write. */
static bool add_overwritten(uint64_t *to, const struct pl_graph *g, const struct pl_node *w,
                            const uint32_t *done)
{
    const struct pl_location *l = &g->location[w->location - 1];
    struct pl_ref r = l->readers;
    if (w->place > 0) {
        if (!add(to, l->co[w->place - 1], done))
            return false;
        r = pl_at(g, l->co[w->place - 1])->readers;
    }
    for (; !pl_is_init(r); r = pl_at(g, r)->next)
        if (!(r.thread == w->self.thread && r.index < w->self.index) && !add(to, r, done))
            return false;
    return true;
}

/* The edges of create and join: the views say what is new. */
static bool add_thread(uint64_t *to, const struct pl_graph *g, const struct pl_node *e,
                       const uint32_t *done)
{
    for (unsigned k = 0; k < g->threads; k++)
        if (k != e->self.thread && e->porf[k] > (e->self.index ? e[-1].porf[k] : 0) &&
            !add(to, (struct pl_ref){(uint16_t)k, (uint16_t)(e->porf[k] - 1)}, done))
            return false;
    return true;
}

static bool add_sources(uint64_t *to, const struct pl_graph *g, const struct pl_node *e,
                        const uint32_t *done)
{
    if (e->kind == PL_GRAPH_READ)
        return pl_is_init(e->rf) || add(to, e->rf, done);
    if (e->kind == PL_GRAPH_WRITE)
        return add_overwritten(to, g, e, done);
    return (e->kind != PL_GRAPH_BEGIN && e->kind != PL_GRAPH_JOIN) || add_thread(to, g, e, done);
}

static bool add_event(const struct pl_graph *g, const struct pl_node *e, const uint32_t *done)
{
    unsigned t = e->self.thread, i = e->self.index;
    uint64_t mine = i ? sc_before[t][i - 1] : 0;
    const struct pl_node *unlock = i ? pl_clients_unlock(e - 1) : NULL;
    if (unlock && !add(&mine, unlock->self, done))
        return false;
    if (!add_sources(&mine, g, e, done))
        return false;
    sc_before[t][i] = mine;
    return true;
}

/* The points of a thread that no event was made after yet, and where the first of them stands. */
struct ahead {
    uint64_t points;
    uint32_t index;
};

static uint32_t sc_done[PL_GRAPH_THREADS]; /* events of which sc_before is known */
static struct ahead sc_ahead[PL_GRAPH_THREADS];

static void find_index(struct ahead *a)
{
    a->index = a->points ? index_of((unsigned)__builtin_ctzll(a->points)) : UINT32_MAX;
}

/* How many of the first events of main, who makes no calls, no point can come before: those until
 * it has created a thread, and further creations. */
static uint32_t bare_start(const struct pl_graph *g)
{
    const struct pl_graph_thread *main = &g->thread[0];
    bool created = false;
    uint32_t k = 0;
    for (; k < main->count; k++) {
        uint8_t kind = main->node[k].kind;
        created |= kind == PL_GRAPH_CREATE;
        if (created && kind != PL_GRAPH_CREATE)
            break;
    }
    return k;
}

/* Events that need not be looked at: no point comes before them. */
static void skip_bare(const struct pl_graph *g)
{
    uint32_t bare = work.of[0] || !g->threads ? 0 : bare_start(g);
    memset(sc_before[0], 0, bare * sizeof *sc_before[0]);
    sc_done[0] = bare;
    for (unsigned t = 1; t < g->threads && bare; t++) {
        const struct pl_node *first = g->thread[t].node;
        if (g->thread[t].count && first->kind == PL_GRAPH_BEGIN && !first->value &&
            first->porf[0] <= bare && sc_ahead[t].index > 0) {
            sc_before[t][0] = 0;
            sc_done[t] = 1;
        }
    }
}

/* As far as it goes: the events of each thread up to so many. Returns whether all are done. */
static bool go_on(const struct pl_graph *g, const uint32_t *needed)
{
    uint32_t *done = sc_done;
    struct ahead *ahead = sc_ahead;
    bool all = false;
    for (bool more = true; more && !all;) {
        all = true;
        more = false;
        for (unsigned t = 0; t < g->threads; t++) {
            while (done[t] < needed[t] && add_event(g, &g->thread[t].node[done[t]], done)) {
                for (; ahead[t].index <= done[t]; find_index(&ahead[t])) {
                    sc_before[t][done[t]] |= lowest(ahead[t].points);
                    ahead[t].points &= ahead[t].points - 1;
                }
                done[t]++;
                more = true;
            }
            all = all && done[t] >= needed[t];
        }
    }
    return all;
}

static void finish_sc(void)
{
    uint32_t all[PL_GRAPH_THREADS];
    for (unsigned t = 0; t < work.g->threads; t++)
        all[t] = work.g->thread[t].count;
    (void)go_on(work.g, all);
}

/* An order of all events that respects every edge is there, because the graph is consistent. What
 * comes after the last point of each thread matters only if others have to do with it. */
static void find_sc_before(void)
{
    const struct pl_graph *g = work.g;
    uint32_t needed[PL_GRAPH_THREADS];
    for (unsigned t = 0; t < g->threads; t++) {
        sc_ahead[t].points = work.of[t];
        find_index(&sc_ahead[t]);
        sc_done[t] = 0;
        needed[t] = work.of[t] ? index_of(63 - (unsigned)__builtin_clzll(work.of[t])) : 0;
    }
    skip_bare(g);
    if (!go_on(g, needed))
        finish_sc();
}

/* What comes before a point of the thread: as before the one before it, if no event is between. */
static bool is_next(unsigned last, unsigned q)
{
    return index_of(last) == index_of(q);
}

static uint64_t sc_before_point(unsigned q)
{
    const struct pl_node *last = last_before(q), *unlock = last ? pl_clients_unlock(last) : NULL;
    uint64_t points = last ? sc_before[last->self.thread][last->self.index] : 0;
    if (unlock) { /* what a lock waited for is in the past of what follows it, not in its own */
        if (unlock->self.index >= sc_done[unlock->self.thread])
            finish_sc();
        points |= sc_before[unlock->self.thread][unlock->self.index];
    }
    return points;
}

static void find_sc_order(uint64_t *before)
{
    memset(before, 0, 2 * work.calls * sizeof *before);
    for (unsigned t = 0; t < work.g->threads; t++) {
        uint64_t points = 0, own = 0;
        for (uint64_t rest = work.of[t]; rest; rest &= rest - 1) {
            unsigned q = (unsigned)__builtin_ctzll(rest);
            if (!own || !is_next(63 - (unsigned)__builtin_clzll(own), q))
                points = sc_before_point(q);
            before[q] = points | own;
            own |= lowest(rest);
        }
    }
}

/* ---- from views to points ---- */

static void find_made(void)
{
    for (unsigned t = 0; t < work.g->threads; t++) {
        uint64_t made = 0, *row = work.made[t];
        unsigned v = 0, count = work.g->thread[t].count;
        if (!work.of[t])
            continue;
        work.active[work.actives++] = (uint8_t)t;
        for (uint64_t own = work.of[t]; own; own &= own - 1) {
            for (unsigned at = index_of((unsigned)__builtin_ctzll(own)); v <= at; v++)
                row[v] = made;
            made |= lowest(own);
        }
        for (; v <= count; v++)
            row[v] = made;
    }
}

struct before {
    uint64_t order, cause;
};

static struct before before_point(unsigned q, bool cause)
{
    const struct pl_node *last = last_before(q), *unlock = last ? pl_clients_unlock(last) : NULL;
    struct before b = {0};
    if (!last)
        return b;
    b.order = pl_clients_made(last->hb);
    if (unlock && !(last->flags & PL_GRAPH_F_QUIET))
        b.order |= pl_clients_made(unlock->hb);
    if (cause)
        b.cause = pl_clients_made(last->porf) | (unlock ? pl_clients_made(unlock->porf) : 0);
    return b;
}

/* p comes before q if the first event after p is in the past of q: of happens-before, and, unless
 * it is NULL, of (po ∪ rf)+. */
static void find_order(uint64_t *order, uint64_t *cause)
{
    memset(order, 0, 2 * work.calls * sizeof *order);
    if (cause)
        memset(cause, 0, 2 * work.calls * sizeof *cause);
    for (unsigned k = 0; k < work.actives; k++) {
        struct before b = {0};
        uint64_t own = 0;
        for (uint64_t rest = work.of[work.active[k]]; rest; rest &= rest - 1) {
            unsigned q = (unsigned)__builtin_ctzll(rest);
            if (!own || !is_next(63 - (unsigned)__builtin_clzll(own), q))
                b = before_point(q, cause != NULL);
            order[q] = b.order | own;
            if (cause)
                cause[q] = b.cause | own;
            own |= lowest(rest);
        }
    }
}

/* ---- C2 ---- */

/* after[t][1 + index]: the returns that an event of the thread happens before. */
static uint64_t after[PL_GRAPH_THREADS][PL_GRAPH_LENGTH + 1];

static void add_returns(const uint16_t *view, uint64_t bit)
{
    for (unsigned t = 0; t < work.g->threads; t++)
        after[t][view[t]] |= bit;
}

static void find_after(void)
{
    const struct pl_graph *g = work.g;
    for (unsigned t = 0; t < g->threads; t++)
        memset(after[t], 0, (g->thread[t].count + 1) * sizeof *after[t]);
    for (uint64_t rest = work.points & ~PL_CLIENTS_CALLS; rest; rest &= rest - 1) {
        unsigned q = (unsigned)__builtin_ctzll(rest);
        const struct pl_node *last = last_before(q),
                             *unlock = last ? pl_clients_unlock(last) : NULL;
        if (last)
            add_returns(last->hb, lowest(rest));
        if (unlock && !(last->flags & PL_GRAPH_F_QUIET))
            add_returns(unlock->hb, lowest(rest));
    }
    for (unsigned t = 0; t < g->threads; t++) {
        uint64_t returns = 0;
        for (unsigned k = g->thread[t].count + 1; k-- > 0; after[t][k] = returns)
            returns |= after[t][k];
    }
}

/* Of each place of co of each location, that of the initial value first: the returns that what
 * reads or writes there happens before, and the calls that happen before it. */
static struct at_place {
    uint64_t returns, calls;
} at_place[PL_GRAPH_EVENTS + PL_GRAPH_LOCATIONS];
enum { NOWHERE = PL_GRAPH_EVENTS + PL_GRAPH_LOCATIONS };
static uint16_t first_place[PL_GRAPH_LOCATIONS]; /* NOWHERE: it is not written */

static void find_places(void)
{
    const struct pl_graph *g = work.g;
    uint32_t count = 0;
    for (uint32_t k = 0; k < g->locations; k++) {
        const struct pl_location *l = &g->location[k];
        bool written = l->uses && l->writes;
        first_place[k] = (uint16_t)(written ? count : NOWHERE);
        count += written ? l->writes + 1 : 0;
    }
    memset(at_place, 0, count * sizeof *at_place);
}

/* What happens before an event is what does before the last one, and its own thread's, unless its
 * thread has gained more. */
static void add_to_places(unsigned t)
{
    const struct pl_graph_thread *thread = &work.g->thread[t];
    const uint64_t *made = work.of[t] ? work.made[t] : NULL;
    uint64_t calls = 0;
    for (unsigned k = 0; k < thread->count; k++) {
        const struct pl_node *n = &thread->node[k];
        if (!k || n->gained)
            calls = pl_clients_made(n->hb);
        else if (made)
            calls |= made[k + 1];
        uint32_t first = pl_is_access(n) ? first_place[n->location - 1] : NOWHERE;
        if (first == NOWHERE)
            continue;
        struct at_place *p = &at_place[first + (uint32_t)(pl_place(work.g, n) + 1)];
        p->returns |= after[t][k + 1];
        p->calls |= calls & PL_CLIENTS_CALLS;
    }
}

/* From the calls that happen before something at a place, the returns are barred that something
 * newer happens before: most of them by the oldest such place. */
static void bar_at(const struct at_place *at, uint32_t writes, uint64_t *barred)
{
    static uint64_t newer[PL_GRAPH_LENGTH + 1];
    uint64_t returns = 0, left = work.points & PL_CLIENTS_CALLS;
    for (uint32_t k = writes + 1; k-- > 0; returns |= at[k].returns)
        newer[k] = returns;
    for (uint32_t k = 0; k <= writes && left && newer[k]; k++) {
        uint64_t calls = at[k].calls & left;
        left &= ~calls;
        for (; calls; calls &= calls - 1)
            barred[__builtin_ctzll(calls) / 2] |= newer[k];
    }
}

/* Returns as operations: bit 2i + 1 to bit i. */
static uint32_t operations_of(uint64_t returns)
{
    uint64_t x = returns >> 1 & PL_CLIENTS_CALLS;
    x = (x | x >> 1) & 0x3333333333333333;
    x = (x | x >> 2) & 0x0f0f0f0f0f0f0f0f;
    x = (x | x >> 4) & 0x00ff00ff00ff00ff;
    x = (x | x >> 8) & 0x0000ffff0000ffff;
    return (uint32_t)(x | x >> 16);
}

static void find_barred(uint32_t *out)
{
    const struct pl_graph *g = work.g;
    uint64_t barred[PL_GRAPH_CALLS] = {0};
    find_after();
    find_places();
    for (unsigned t = 0; t < g->threads; t++)
        add_to_places(t);
    for (uint32_t k = 0; k < g->locations; k++)
        if (first_place[k] != NOWHERE)
            bar_at(&at_place[first_place[k]], g->location[k].writes, barred);
    for (unsigned j = 0; j < work.calls; j++)
        out[j] = operations_of(barred[j]);
}

/* ---- all of it ---- */

/* Pairs of a call and a return only: a store of the client's, and a load after it in the same
 * thread, are not kept in order. */
static void find_tso_cause(uint64_t *cause)
{
    memset(cause, 0, 2 * work.calls * sizeof *cause);
    for (unsigned i = 0; i < work.calls; i++) {
        uint16_t past[PL_GRAPH_THREADS];
        if (!work.call[i].returned)
            continue;
        pl_tso_past(work.g, work.call[i].thread, work.call[i].ret, past);
        for (unsigned j = 0; j < work.calls; j++) {
            const struct pl_graph_call *c = &work.call[j];
            bool before = c->thread == work.call[i].thread ? j <= i : past[c->thread] > c->call;
            cause[2 * i + 1] |= (uint64_t)(c->called && before) << 2 * j;
        }
    }
}

static void begin(const struct pl_graph *g, const struct pl_graph_call *call, unsigned calls)
{
    work.g = g;
    work.call = call;
    work.calls = calls;
    work.points = 0;
    work.actives = 0;
    memset(work.of, 0, sizeof work.of);
    for (unsigned i = 0; i < calls; i++) {
        uint64_t points = (uint64_t)call[i].called << 2 * i;
        points |= (uint64_t)call[i].returned << (2 * i + 1);
        work.points |= points;
        work.of[call[i].thread] |= points;
    }
}

/* The calls of which the first event after them is in the view. */
static uint32_t calls_in(const uint16_t *view)
{
    uint32_t calls = 0;
    for (unsigned i = 0; i < work.calls; i++) {
        const struct pl_graph_call *c = &work.call[i];
        calls |= (uint32_t)(c->called & (view[c->thread] > c->call)) << i;
    }
    return calls;
}

void pl_graph_passed(const struct pl_graph *g, const struct pl_graph_call *call, unsigned calls,
                     uint32_t *passed)
{
    work.g = g;
    work.call = call;
    work.calls = calls;
    for (unsigned j = 0; j < calls; j++) {
        passed[j] = 0;
        if (!call[j].returned)
            continue;
        const struct pl_node *last = last_before(2 * j + 1),
                             *unlock = last ? pl_clients_unlock(last) : NULL;
        if (last)
            passed[j] = calls_in(last->hb);
        if (unlock && !(last->flags & PL_GRAPH_F_QUIET))
            passed[j] |= calls_in(unlock->hb);
        for (unsigned i = 0; i <= j; i++) /* also those that have made no event since */
            passed[j] |= (uint32_t)(call[i].thread == call[j].thread && call[i].called) << i;
    }
}

void pl_graph_clients_begin(const struct pl_graph *g, const struct pl_model *model,
                            const struct pl_graph_call *call, unsigned calls,
                            struct pl_clients *out)
{
    const size_t rows = 2 * calls * sizeof *out->order;
    begin(g, call, calls);
    work.rc11 = model == &pl_model_rc11;
    if (model == &pl_model_sc) {
        find_sc_before();
        find_sc_order(out->order);
        memcpy(out->cause, out->order, rows);
    } else {
        find_made();
        find_order(out->order, work.rc11 ? out->cause : NULL);
    }
    memset(out->barred, 0, calls * sizeof *out->barred);
    if (model == &pl_model_tso) {
        find_tso_cause(out->cause);
    } else if (work.rc11) {
        find_barred(out->barred);
    }
}

bool pl_graph_clients_end(struct pl_clients *out)
{
    memset(out->global, 0, 2 * work.calls * sizeof *out->global);
    out->exact = true;
    bool any = work.rc11 && pl_clients_has_sc(&out->exact);
    if (any && out->exact)
        pl_clients_find_global(out->order, out->global);
    return any;
}

void pl_graph_clients(const struct pl_graph *g, const struct pl_model *model,
                      const struct pl_graph_call *call, unsigned calls, struct pl_clients *out)
{
    pl_graph_clients_begin(g, model, call, calls, out);
    (void)pl_graph_clients_end(out);
}
