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

static uint64_t own_before(unsigned point)
{
    return work.of[work.call[point / 2].thread] & (((uint64_t)1 << point) - 1);
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

static void find_index(struct ahead *a)
{
    a->index = a->points ? index_of((unsigned)__builtin_ctzll(a->points)) : UINT32_MAX;
}

/* An order of all events that respects every edge is there, because the graph is consistent. */
static void find_sc_before(const struct pl_graph *g)
{
    uint32_t done[PL_GRAPH_THREADS] = {0}, left = g->events;
    struct ahead ahead[PL_GRAPH_THREADS];
    for (unsigned t = 0; t < g->threads; t++) {
        ahead[t].points = work.of[t];
        find_index(&ahead[t]);
    }
    for (bool more = true; left && more;) {
        more = false;
        for (unsigned t = 0; t < g->threads; t++)
            while (done[t] < g->thread[t].count &&
                   add_event(g, &g->thread[t].node[done[t]], done)) {
                for (; ahead[t].index <= done[t]; find_index(&ahead[t])) {
                    sc_before[t][done[t]] |= lowest(ahead[t].points);
                    ahead[t].points &= ahead[t].points - 1;
                }
                done[t]++;
                left--;
                more = true;
            }
    }
}

static void find_sc_order(uint64_t *before)
{
    memset(before, 0, 2 * work.calls * sizeof *before);
    for (uint64_t rest = work.points; rest; rest &= rest - 1) {
        unsigned q = (unsigned)__builtin_ctzll(rest);
        const struct pl_node *last = last_before(q),
                             *unlock = last ? pl_clients_unlock(last) : NULL;
        before[q] = own_before(q);
        if (last)
            before[q] |= sc_before[last->self.thread][last->self.index];
        if (unlock) /* what a lock waited for is in the past of what follows it, not in its own */
            before[q] |= sc_before[unlock->self.thread][unlock->self.index];
    }
}

/* ---- from views to points ---- */

static void find_made(void)
{
    for (unsigned t = 0; t < work.g->threads; t++) {
        uint64_t own = work.of[t], made = 0;
        if (!own)
            continue;
        work.active[work.actives++] = (uint8_t)t;
        for (unsigned v = 0; v <= work.g->thread[t].count; v++) {
            work.made[t][v] = made;
            for (; own && index_of((unsigned)__builtin_ctzll(own)) <= v; own &= own - 1)
                made |= lowest(own);
        }
    }
}

enum past { PAST_HB, PAST_PORF };

/* p comes before q if the first event after p is in the past of q. */
static void find_order(enum past which, uint64_t *before)
{
    memset(before, 0, 2 * work.calls * sizeof *before);
    for (uint64_t rest = work.points; rest; rest &= rest - 1) {
        unsigned q = (unsigned)__builtin_ctzll(rest);
        const struct pl_node *last = last_before(q),
                             *unlock = last ? pl_clients_unlock(last) : NULL;
        before[q] = own_before(q);
        if (last)
            before[q] |= pl_clients_made(which == PAST_HB ? last->hb : last->porf);
        if (unlock && (which == PAST_PORF || !(last->flags & PL_GRAPH_F_QUIET)))
            before[q] |= pl_clients_made(which == PAST_HB ? unlock->hb : unlock->porf);
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
    for (unsigned t = 0; t < g->threads; t++)
        for (unsigned k = g->thread[t].count; k > 0; k--)
            after[t][k - 1] |= after[t][k];
}

/* The returns that what reads or writes at one place of co happens before. */
static uint64_t returns_at(const struct pl_node *w, struct pl_ref readers)
{
    uint64_t returns = w ? after[w->self.thread][w->self.index + 1] : 0;
    for (struct pl_ref r = readers; !pl_is_init(r); r = pl_at(work.g, r)->next)
        returns |= after[r.thread][r.index + 1];
    return returns;
}

static uint64_t calls_at(const struct pl_node *w, struct pl_ref readers)
{
    uint64_t calls = w ? pl_clients_made(w->hb) : 0;
    for (struct pl_ref r = readers; !pl_is_init(r); r = pl_at(work.g, r)->next)
        calls |= pl_clients_made(pl_at(work.g, r)->hb);
    return calls & PL_CLIENTS_CALLS;
}

/* From the calls that happen before something at a place, the returns are barred that something
 * newer happens before: most of them by the oldest such place. */
static void bar_at(const struct pl_location *l, uint64_t *barred)
{
    static uint64_t newer[PL_GRAPH_LENGTH + 1]; /* of each place, that of the initial value first */
    const struct pl_graph *g = work.g;
    uint64_t returns = 0, left = work.points & PL_CLIENTS_CALLS;
    for (uint32_t k = l->writes; k > 0; k--) {
        const struct pl_node *w = pl_at(g, l->co[k - 1]);
        newer[k] = returns;
        returns |= returns_at(w, w->readers);
    }
    newer[0] = returns;
    for (uint32_t k = 0; k <= l->writes && left && newer[k]; k++) {
        const struct pl_node *w = k ? pl_at(g, l->co[k - 1]) : NULL;
        uint64_t calls = calls_at(w, w ? w->readers : l->readers) & left;
        left &= ~calls;
        for (; calls; calls &= calls - 1)
            barred[__builtin_ctzll(calls) / 2] |= newer[k];
    }
}

static void find_barred(uint32_t *out)
{
    const struct pl_graph *g = work.g;
    uint64_t barred[PL_GRAPH_CALLS] = {0};
    find_after();
    for (uint32_t k = 0; k < g->locations; k++)
        if (g->location[k].uses && g->location[k].writes)
            bar_at(&g->location[k], barred);
    for (unsigned j = 0; j < work.calls; j++)
        for (uint64_t rest = barred[j]; rest; rest &= rest - 1)
            out[j] |= (uint32_t)1 << __builtin_ctzll(rest) / 2;
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
        find_sc_before(g);
        find_sc_order(out->order);
        memcpy(out->cause, out->order, rows);
    } else {
        find_made();
        find_order(PAST_HB, out->order);
    }
    memset(out->barred, 0, calls * sizeof *out->barred);
    if (model == &pl_model_tso) {
        find_tso_cause(out->cause);
    } else if (work.rc11) {
        find_barred(out->barred);
        find_order(PAST_PORF, out->cause);
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
