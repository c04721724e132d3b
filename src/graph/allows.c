/*
 * Is a graph with the stores and loads of a client consistent? They are put into a copy of it, all
 * events one after the other in an order that respects po, rf and the client's edges, and the model
 * is asked of each as the explorer asks it. Slow, and right by construction.
 */
#include "graph/clients.h"

#include <string.h>

static struct {
    struct pl_graph *to;
    const struct pl_graph *from;
    const struct pl_model *model;
    const struct pl_graph_call *call;
    unsigned calls;
    const uint32_t *edges;
    uint32_t done[PL_GRAPH_THREADS];                   /* events copied */
    uint16_t place[PL_GRAPH_THREADS][PL_GRAPH_LENGTH]; /* of each, its index in the copy */
    uint32_t points[PL_GRAPH_THREADS];                 /* calls and returns passed */
    uint32_t stored;                                   /* returns whose store is made */
    uint32_t flag[PL_GRAPH_CALLS];                     /* their locations; 0: none yet */
    struct pl_ref store[PL_GRAPH_CALLS];
} work; /* one question a process at a time */

static struct pl_ref moved(struct pl_ref e)
{
    if (!pl_is_init(e))
        e.index = work.place[e.thread][e.index];
    return e;
}

/* ---- the client's events ---- */

static void add_store(unsigned i)
{
    struct pl_node *n = pl_graph_add(work.to, work.call[i].thread, PL_GRAPH_WRITE, work.flag[i]);
    n->order = PL_REL;
    n->size = 1;
    n->value = 1;
    pl_graph_set_release(work.to, n);
    pl_graph_insert_co(work.to, n, 0);
    work.store[i] = n->self;
    work.stored |= (uint32_t)1 << i;
}

static void add_loads(unsigned j)
{
    for (uint32_t rest = work.edges[j]; rest; rest &= rest - 1) {
        unsigned i = (unsigned)__builtin_ctz(rest);
        struct pl_node *n = pl_graph_add(work.to, work.call[j].thread, PL_GRAPH_READ, work.flag[i]);
        n->order = n->order_ok = PL_ACQ;
        n->size = 1;
        pl_graph_set_rf(work.to, n, work.store[i]);
    }
}

/* The thread's next call or return if it comes before its next event: 2i, 2i + 1, or -1. */
static int next_point(unsigned thread)
{
    uint32_t skip = work.points[thread];
    for (unsigned i = 0; i < work.calls; i++) {
        const struct pl_graph_call *c = &work.call[i];
        if (c->thread != thread || !c->called)
            continue;
        if (skip == 0)
            return c->call <= work.done[thread] ? (int)(2 * i) : -1;
        if (skip == 1)
            return c->returned && c->ret <= work.done[thread] ? (int)(2 * i + 1) : -1;
        skip -= 2;
    }
    return -1;
}

/* Does the thread stand behind a lock whose unlock is still to come? */
static bool awaits_unlock(unsigned thread)
{
    const struct pl_node *last = &work.from->thread[thread].node[work.done[thread]] - 1;
    if (!work.done[thread] || last->kind != PL_GRAPH_WRITE || !(last->flags & PL_GRAPH_F_LOCK))
        return false;
    const struct pl_node *unlock = pl_graph_awaited(work.from, last);
    return !unlock || (unlock != last && unlock->self.index >= work.done[unlock->self.thread]);
}

/* False: it must wait for a store. */
static bool pass_point(unsigned thread, unsigned point)
{
    if (awaits_unlock(thread))
        return false;
    if (point & 1) {
        add_store(point / 2);
    } else {
        if (work.edges[point / 2] & ~work.stored)
            return false;
        add_loads(point / 2);
    }
    work.points[thread]++;
    return true;
}

/* ---- the graph's events ---- */

static bool is_ready(const struct pl_node *n)
{
    for (unsigned t = 0; t < work.from->threads; t++)
        if (t != n->self.thread && n->porf[t] > work.done[t])
            return false;
    return true;
}

/* Place in co among the writes that are copied. */
static unsigned place_in_copy(const struct pl_node *w)
{
    const struct pl_location *l = &work.from->location[w->location - 1];
    unsigned place = 0;
    for (int i = 0; i < w->place; i++)
        place += l->co[i].index < work.done[l->co[i].thread];
    return place;
}

static void add_past(const struct pl_node *e, struct pl_node *n)
{
    struct pl_graph *g = work.to;
    if (n->kind == PL_GRAPH_BEGIN && n->value < g->threads)
        pl_graph_add_create(g, n);
    if (n->kind == PL_GRAPH_JOIN && n->value < g->threads && g->thread[n->value].count)
        pl_graph_add_past(n, &g->thread[n->value].node[g->thread[n->value].count - 1]);
    if (n->kind == PL_GRAPH_UNLOCK)
        n->other = work.place[e->self.thread][e->other];
}

/* False: the model forbids it. */
static bool copy(const struct pl_node *e)
{
    struct pl_graph *g = work.to;
    struct pl_node *n = pl_graph_add(g, e->self.thread, e->kind, e->location);
    bool allowed = true;
    work.place[e->self.thread][e->self.index] = n->self.index;
    n->value = e->value;
    n->other = e->other;
    n->operand = e->operand;
    n->expected = e->expected;
    n->order = e->order;
    n->size = e->size;
    n->op = e->op;
    n->order_ok = e->order_ok;
    n->order_fail = e->order_fail;
    n->await = e->await;
    add_past(e, n);
    if (n->kind == PL_GRAPH_READ) {
        struct pl_ref source = moved(e->rf);
        int least = pl_graph_lowest(g, work.model, n);
        allowed = (pl_is_init(source) ? -1 : pl_at(g, source)->place) >= least;
        pl_graph_set_rf(g, n, source);
    } else if (n->kind == PL_GRAPH_FENCE) {
        pl_graph_set_rf(g, n, PL_INIT);
    }
    n->flags = e->flags;
    if (n->kind == PL_GRAPH_WRITE) {
        unsigned place = place_in_copy(e);
        pl_graph_set_release(g, n);
        allowed = (n->flags & PL_GRAPH_F_RMW) || (int)place > pl_graph_lowest(g, work.model, n);
        pl_graph_insert_co(g, n, place);
    }
    work.done[e->self.thread]++;
    return allowed;
}

/* One more event of the thread, or point. *moved: there was one. */
static bool advance(unsigned t, bool *more)
{
    int point = next_point(t);
    if (point >= 0) {
        *more = pass_point(t, (unsigned)point);
        return true;
    }
    const struct pl_node *e = &work.from->thread[t].node[work.done[t]];
    *more = work.done[t] < work.from->thread[t].count && is_ready(e);
    return !*more || copy(e);
}

static void begin(void)
{
    const struct pl_graph *g = work.from;
    pl_graph_clear(work.to);
    for (uint32_t i = 0; i < g->locations; i++)
        (void)pl_graph_location(work.to, g->location[i].key, g->location[i].initial);
    for (unsigned i = 0; i < work.calls; i++) /* no address has these keys */
        work.flag[i] = pl_graph_location(work.to, ~(uint64_t)i, 0);
    memset(work.done, 0, sizeof work.done);
    memset(work.points, 0, sizeof work.points);
    work.stored = 0;
}

bool pl_graph_has_room(const struct pl_graph *g, unsigned calls)
{
    return g->locations + calls <= PL_GRAPH_LOCATIONS &&
           g->events + calls * (calls + 1) <= PL_GRAPH_EVENTS;
}

bool pl_graph_allows(const struct pl_graph *g, const struct pl_model *model,
                     const struct pl_graph_call *call, unsigned calls, const uint32_t *edges)
{
    if (!work.to)
        work.to = pl_graph_new();
    if (!work.to || !pl_graph_has_room(g, calls))
        return false;
    work.from = g;
    work.model = model;
    work.call = call;
    work.calls = calls;
    work.edges = edges;
    begin();
    for (bool some = true; some;) {
        some = false;
        for (unsigned t = 0; t < g->threads; t++)
            for (bool more = true; more; some |= more)
                if (!advance(t, &more))
                    return false;
    }
    for (unsigned t = 0; t < g->threads; t++)
        if (work.done[t] < g->thread[t].count || next_point(t) >= 0)
            return false; /* a cycle */
    return true;
}
