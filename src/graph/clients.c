/*
 * What a graph says of its clients: clients.h. Sets of points are words of bits, so an edge costs
 * one operation, and a view is turned into such a set by a table:
 *
 *     points:     call 0   return 0   call 1 …           of one thread, in its order
 *     events:   e₀  │  e₁  e₂  │   e₃    │  …
 *     made:     0   1          2         3  …            made[v][t]: the points before its event v
 *
 * The order under sc: clients_sc.c; C2: clients_barred.c; C3: clients_psc.c.
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

const struct pl_node *pl_clients_awaited(const struct pl_node *lock)
{
    const struct pl_node *unlock = pl_graph_awaited(work.g, lock);
    return unlock == lock ? NULL : unlock;
}

/* The last one of so many events of a thread; NULL: there is none. */
static const struct pl_node *last_of(unsigned thread, unsigned count)
{
    return count ? &work.g->thread[thread].node[count - 1] : NULL;
}

/* ---- from views to points ---- */

/* Rows of a thread from `from` to `to`; calls are the even points. */
static unsigned fill(unsigned t, unsigned from, unsigned to, uint64_t made, uint32_t called)
{
    for (; from <= to; from++) {
        work.made[from][t] = made;
        work.called[from][t] = called;
    }
    return from;
}

/* Of the table of the last projection, what is the same stays: the points of a thread up to the
 * first that is not where it was. */
static void find_made(unsigned t)
{
    static uint64_t of[PL_GRAPH_THREADS]; /* points in the table, and where it has them */
    static uint16_t index[PL_GRAPH_THREADS][PL_GRAPH_POINTS];
    static uint32_t known[PL_GRAPH_THREADS]; /* rows, if there are any */
    bool same = of[t] == work.of[t] && known[t];
    uint64_t made = 0;
    uint32_t called = 0;
    unsigned v = 0, count = work.g->thread[t].count;
    for (uint64_t own = work.of[t]; own; own &= own - 1) {
        unsigned q = (unsigned)__builtin_ctzll(own), at = work.index[q];
        same = same && at == index[t][q];
        if (!same)
            (void)fill(t, v, at, made, called);
        v = at + 1;
        index[t][q] = (uint16_t)at;
        made |= lowest(own);
        called |= q & 1 ? 0 : (uint32_t)1 << q / 2;
    }
    v = same && known[t] > v ? known[t] : v;
    of[t] = work.of[t];
    known[t] = fill(t, v, count, made, called);
}

/* p comes before q if the first event after p is in the past of q: of happens-before, and of (po ∪
 * rf)+. Points between which there is no event have the same before them. */
static void find_order(unsigned thread, uint64_t *out_order, uint64_t *out_cause)
{
    const unsigned first = work.first, end = work.end;
    const struct pl_node *node = work.g->thread[thread].node;
    uint64_t order = 0, cause = 0, own = 0;
    unsigned at = 0; /* and nothing is before that */
    for (uint64_t rest = work.of[thread]; rest; rest &= rest - 1) {
        unsigned q = (unsigned)__builtin_ctzll(rest);
        if (work.index[q] != at) {
            const struct pl_node *last = &node[(at = work.index[q]) - 1],
                                 *unlock = pl_clients_unlock(last);
            order = cause = 0;
            for (unsigned t = first; t < end; t++) {
                order |= work.made[last->hb[t]][t];
                cause |= work.made[last->porf[t]][t];
            }
            if (unlock && !(last->flags & PL_GRAPH_F_QUIET))
                order |= pl_clients_made(unlock->hb);
            if (unlock)
                cause |= pl_clients_made(unlock->porf);
        }
        out_order[q] = order | own;
        out_cause[q] = cause | own;
        own |= lowest(rest);
    }
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

/* As it was the last time, if the calls are where they were. */
static bool is_same(const struct pl_graph_call *call, unsigned calls)
{
    static struct pl_graph_call last[PL_GRAPH_CALLS];
    static unsigned count;
    uint64_t one, other, differs = count ^ calls;
    _Static_assert(sizeof *call == sizeof one, "without holes");
    for (unsigned i = 0; i < calls; i++) {
        memcpy(&one, &call[i], sizeof one);
        memcpy(&other, &last[i], sizeof other);
        differs |= one ^ other;
        last[i] = call[i];
    }
    count = calls;
    return !differs;
}

static void list_points(const struct pl_graph_call *call, unsigned calls)
{
    unsigned first = PL_GRAPH_THREADS, last = 0;
    work.points = 0;
    memset(work.of, 0, sizeof work.of);
    for (unsigned i = 0; i < calls; i++) {
        unsigned t = call[i].thread;
        uint64_t points = (uint64_t)(call[i].called | call[i].returned << 1) << 2 * i;
        work.points |= points;
        work.of[t] |= points;
        work.index[2 * i] = call[i].call;
        work.index[2 * i + 1] = call[i].ret;
        first = t < first ? t : first;
        last = t > last ? t : last;
    }
    work.first = first;
    work.end = last + 1;
}

static void begin(const struct pl_graph *g, const struct pl_graph_call *call, unsigned calls)
{
    work.g = g;
    work.call = call;
    work.calls = calls;
    if (!is_same(call, calls))
        list_points(call, calls);
}

/* Of the calls, those of which the first event after them is in the view. */
static uint32_t calls_in(const struct pl_graph_call *call, uint32_t among, const uint16_t *view)
{
    uint32_t calls = 0;
    for (; among; among &= among - 1) {
        unsigned i = (unsigned)__builtin_ctz(among);
        calls |= (uint32_t)(call[i].called & (view[call[i].thread] > call[i].call)) << i;
    }
    return calls;
}

uint32_t pl_graph_passed(const struct pl_graph *g, const struct pl_graph_call *call, unsigned j,
                         uint32_t among)
{
    uint32_t passed = 0;
    work.g = g;
    if (!call[j].returned)
        return 0;
    const struct pl_node *last = last_of(call[j].thread, call[j].ret),
                         *unlock = last ? pl_clients_unlock(last) : NULL;
    if (last)
        passed = calls_in(call, among, last->hb);
    if (unlock && !(last->flags & PL_GRAPH_F_QUIET))
        passed |= calls_in(call, among, unlock->hb);
    for (unsigned i = 0; i <= j; i++) /* also those that have made no event since */
        passed |= (uint32_t)(call[i].thread == call[j].thread && call[i].called) << i & among;
    return passed;
}

void pl_graph_clients_begin(const struct pl_graph *g, const struct pl_model *model,
                            const struct pl_graph_call *call, unsigned calls,
                            struct pl_clients *out)
{
    begin(g, call, calls);
    work.rc11 = model == &pl_model_rc11;
    work.sc = model == &pl_model_sc;
    if (work.points != ((uint64_t)1 << 2 * calls) - 1) { /* the rows of those that are not there */
        memset(out->order, 0, 2 * calls * sizeof *out->order);
        memset(out->cause, 0, 2 * calls * sizeof *out->cause);
    }
    if (work.sc) {
        pl_clients_find_sc_order(out->order);
        return;
    }
    for (unsigned t = work.first; t < work.end; t++)
        find_made(t);
    for (unsigned t = work.first; t < work.end; t++)
        find_order(t, out->order, out->cause);
    if (work.rc11) {
        pl_clients_find_barred(out->barred);
        return;
    }
    find_tso_cause(out->cause);
    memset(out->barred, 0, calls * sizeof *out->barred);
}

bool pl_graph_clients_end(struct pl_clients *out)
{
    memset(out->global, 0, 2 * work.calls * sizeof *out->global);
    if (work.sc) {
        memcpy(out->cause, out->order, 2 * work.calls * sizeof *out->cause);
        memset(out->barred, 0, work.calls * sizeof *out->barred);
    }
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
