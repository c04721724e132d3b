/* The order of points: effects.h. */
#include "graph/effects.h"

#include <string.h>

typedef uint16_t view[PL_GRAPH_THREADS];

/* Of each event the events of each thread in its past, by (po ∪ rf ∪ co ∪ fr)+ and the edges of
 * create, join and unlock; so also by happens-before. One projection a process. */
static view past[PL_GRAPH_THREADS][PL_GRAPH_LENGTH];

static bool join(uint16_t *to, const uint16_t *from)
{
    bool more = false;
    for (unsigned t = 0; t < PL_GRAPH_THREADS; t++)
        if (from[t] > to[t]) {
            to[t] = from[t];
            more = true;
        }
    return more;
}

static bool join_event(uint16_t *to, const struct pl_graph *g, struct pl_ref r)
{
    return !pl_is_init(r) && pl_at(g, r) && join(to, past[r.thread][r.index]);
}

/* The write before this one in co, and what read it (fr). */
static bool join_overwritten(uint16_t *to, const struct pl_graph *g, const struct pl_node *w)
{
    const struct pl_location *l = &g->location[w->location - 1];
    struct pl_ref r = l->readers;
    bool more = false;
    if (w->place == PL_NOWHERE)
        return false;
    if (w->place > 0) {
        more = join_event(to, g, l->co[w->place - 1]);
        r = pl_at(g, l->co[w->place - 1])->readers;
    }
    for (; !pl_is_init(r); r = pl_at(g, r)->next)
        more |= join_event(to, g, r);
    return more;
}

static bool join_pasts(const struct pl_graph *g, const struct pl_node *e)
{
    uint16_t *mine = past[e->self.thread][e->self.index];
    bool more = false;
    for (unsigned t = 0; t < g->threads; t++)
        if (e->porf[t] && !(t == e->self.thread && e->porf[t] == e->self.index + 1))
            more |= join(mine, past[t][e->porf[t] - 1]);
    if (e->self.index)
        more |= join(mine, past[e->self.thread][e->self.index - 1]);
    if (e->kind == PL_GRAPH_WRITE)
        more |= join_overwritten(mine, g, e);
    return more;
}

/* Until nothing is added: under sc `order` has one that respects all edges, and two turns do. */
static void find_pasts(const struct pl_graph *g)
{
    bool more = true;
    for (uint32_t i = 0; i < g->events; i++) {
        const struct pl_node *e = pl_at(g, g->order[i]);
        uint16_t *mine = past[e->self.thread][e->self.index];
        memcpy(mine, e->porf, sizeof(view));
        mine[e->self.thread] = (uint16_t)(e->self.index + 1);
    }
    while (more) {
        more = false;
        for (uint32_t i = 0; i < g->events; i++)
            more |= join_pasts(g, pl_at(g, g->order[i]));
    }
}

/* What comes before the moment after `count` events of the thread. */
static void past_at(const struct pl_graph *g, bool happens, unsigned thread, unsigned count,
                    uint16_t *out)
{
    memset(out, 0, sizeof(view));
    if (!count)
        return;
    const struct pl_node *last = &g->thread[thread].node[count - 1];
    memcpy(out, happens ? last->hb : past[thread][count - 1], sizeof(view));
    if (last->kind != PL_GRAPH_WRITE || !(last->flags & PL_GRAPH_F_LOCK))
        return;
    /* The unlock that a lock waited for is in the views of what follows. */
    const struct pl_node *unlock = pl_graph_awaited(g, last);
    if (unlock && unlock != last && !(happens && (last->flags & PL_GRAPH_F_QUIET)))
        (void)join(out, happens ? unlock->hb : past[unlock->self.thread][unlock->self.index]);
}

/* Sets of points. */
struct around {
    uint64_t past, future;
};

/* A call or return at `at` of the thread: before the point, after it? */
static void place(const struct pl_graph *g, bool happens, unsigned thread, unsigned at,
                  uint64_t bit, const struct pl_graph_effect *e, const uint16_t *before,
                  struct around *out)
{
    view earlier;
    if (thread == e->thread) /* and where there are cycles perhaps both */
        *(at <= e->event ? &out->past : &out->future) |= bit;
    out->past |= before[thread] > at ? bit : 0;
    past_at(g, happens, thread, at, earlier);
    out->future |= earlier[e->thread] > e->event ? bit : 0;
}

/* All calls and returns. */
static struct around place_all(const struct pl_graph *g, bool happens,
                               const struct pl_graph_call *call, unsigned calls,
                               const struct pl_graph_effect *e)
{
    struct around out = {0};
    view before;
    past_at(g, happens, e->thread, e->event + 1u, before);
    for (unsigned i = 0; i < calls; i++) {
        const struct pl_graph_call *c = &call[i];
        const uint64_t bit = (uint64_t)1 << 2 * i;
        if (c->called)
            place(g, happens, c->thread, c->call, bit, e, before, &out);
        if (c->returned)
            place(g, happens, c->thread, c->ret, bit << 1, e, before, &out);
    }
    return out;
}

static void find_reach(const struct pl_graph *g, const struct pl_graph_call *call, unsigned calls,
                       uint64_t *rows)
{
    for (unsigned e = 0; e < 2 * calls; e++) {
        const struct pl_graph_call *to = &call[e / 2];
        view before;
        rows[e] = 0;
        if (!(e & 1 ? to->returned : to->called))
            continue;
        past_at(g, false, to->thread, e & 1 ? to->ret : to->call, before);
        for (unsigned b = 0; b < 2 * calls; b++) {
            const struct pl_graph_call *from = &call[b / 2];
            bool is = b & 1 ? from->returned : from->called;
            bool earlier = (from->thread == to->thread && b < e) ||
                           before[from->thread] > (b & 1 ? from->ret : from->call);
            rows[e] |= (uint64_t)(is && earlier) << b;
        }
    }
}

void pl_graph_effects(const struct pl_graph *g, bool sc, const struct pl_graph_call *call,
                      unsigned calls, const struct pl_graph_effect *effect, unsigned count,
                      struct pl_graph_effect_order *out, uint64_t *reach)
{
    if (!count && !reach)
        return;
    find_pasts(g);
    if (reach)
        find_reach(g, call, calls, reach);
    memset(out, 0, count * sizeof *out);
    for (unsigned k = 0; k < count; k++) {
        view before;
        past_at(g, false, effect[k].thread, effect[k].event + 1u, before);
        for (unsigned i = 0; i < count && count <= 64; i++) {
            bool same = effect[i].thread == effect[k].thread && effect[i].event == effect[k].event;
            bool earlier = same ? i < k : before[effect[i].thread] > effect[i].event;
            out[k].with |= (uint64_t)(same && i != k) << i;
            out[k].earlier |= (uint64_t)earlier << i;
        }
        struct around all = place_all(g, false, call, calls, &effect[k]),
                      happens = sc ? all : place_all(g, true, call, calls, &effect[k]);
        out[k].past = all.past;
        out[k].future = all.future;
        out[k].before = happens.past;
        out[k].after = happens.future;
    }
}
