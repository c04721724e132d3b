/*
 * RC11 (Lahav, Vafeiadis, Kang, Hur, Dreyer, PLDI 2017).
 *
 * COHERENCE  hb ; eco? is irreflexive: no event reads or overwrites something older than
 *            what happens before it has seen.
 * SC         psc = psc_base ∪ psc_F has no cycle, where
 *              psc_base = ([Esc] ∪ [Fsc];hb?) ; scb ; ([Esc] ∪ hb?;[Fsc])
 *              psc_F    = [Fsc] ; (hb ∪ hb;eco;hb) ; [Fsc]
 *              scb      = sb ∪ sb|≠loc;hb;sb|≠loc ∪ hb|loc ∪ co ∪ fr
 * Atomicity is for the asker (graph.h). The fourth axiom, sb ∪ rf acyclic, holds of every graph
 * we build: a read takes its value from a write that is there, and a revisit only from one the
 * read is not in the past of.
 *
 * Places instead of eco: with the place of a write in co, and of a read that of what it reads,
 * a ─eco→ b holds between events of one location exactly when a's place is less, or a is a
 * write and b reads it.
 *
 * A new event e is the last of its thread: nothing happens after it, and the new psc edges are
 * those that leave e by co or fr (eco), from e itself if it is seq_cst and from the seq_cst
 * fences that happen before it. They close a cycle exactly if they lead into the psc past of
 * what they start from. Of the edges into e only sb and those around (below) matter: what
 * enters by hb|loc, co or fr, or by what e reads, precedes in co or fr everything that e does.
 *
 * sb is in psc, so the psc past is a number of events a thread, like a view.
 */
#include <string.h>

#include "graph/graph.h"

/* The seq_cst events of a thread with a smaller index are in the past. */
static uint16_t past[PL_GRAPH_THREADS];

static void reach(unsigned thread, unsigned count)
{
    if (past[thread] < count)
        past[thread] = (uint16_t)count;
}

static bool is_sc(const struct pl_node *n)
{
    return n->order == PL_SC && (pl_is_access(n) || n->kind == PL_GRAPH_FENCE);
}

static bool same_location(const struct pl_node *a, const struct pl_node *b)
{
    return a->location && a->location == b->location && pl_is_access(a) && pl_is_access(b);
}

/* 1 + the index of the last seq_cst event, or fence, among the first `count` of a thread. */
static unsigned last_sc(const struct pl_graph *g, unsigned thread, unsigned count)
{
    if (!count)
        return 0;
    const struct pl_node *n = &g->thread[thread].node[count - 1];
    return is_sc(n) ? count : n->sc;
}

static unsigned last_fence(const struct pl_graph *g, unsigned thread, unsigned count)
{
    if (!count)
        return 0;
    const struct pl_node *n = &g->thread[thread].node[count - 1];
    return n->kind == PL_GRAPH_FENCE && n->order == PL_SC ? count : n->sc_fence;
}

static bool reach_fences(const struct pl_graph *g, const uint16_t *view)
{
    bool any = false;
    for (unsigned t = 0; t < g->threads; t++) {
        unsigned fence = last_fence(g, t, view[t]);
        reach(t, fence);
        any |= fence != 0;
    }
    return any;
}

/* sb|≠loc;hb: a seq_cst event of each other thread that has an event at another location after it
 * in y's past. */
static void reach_past(const struct pl_graph *g, const struct pl_node *y)
{
    for (unsigned t = 0; t < g->threads; t++) {
        unsigned count = t == y->self.thread || !y->hb[t] ? 0 : y->hb[t] - 1u;
        for (unsigned k = last_sc(g, t, count); k > past[t]; k = last_sc(g, t, k - 1)) {
            const struct pl_node *a = &g->thread[t].node[k - 1], *x = a + 1;
            while (x->self.index + 1u < y->hb[t] && same_location(a, x))
                x++;
            if (!same_location(a, x))
                reach(t, k);
        }
    }
}

/* sb|≠loc;hb;sb|≠loc by way of y. What the unlock that a lock waited for has seen is not in the
 * lock's own view (graph.c), but happens before it. */
static void reach_through(const struct pl_graph *g, const struct pl_node *y)
{
    bool locks =
        y->kind == PL_GRAPH_WRITE && (y->flags & PL_GRAPH_F_LOCK) && !(y->flags & PL_GRAPH_F_QUIET);
    const struct pl_node *unlock = locks ? pl_graph_awaited(g, y) : NULL;
    reach_past(g, y);
    if (!unlock || unlock == y)
        return;
    reach(unlock->self.thread, unlock->self.index);
    reach_past(g, unlock);
}

/* Into b: y is the last event before b at another location. */
static void reach_around(const struct pl_graph *g, const struct pl_node *b)
{
    const struct pl_node *y = b - 1, *first = g->thread[b->self.thread].node;
    while (y >= first && same_location(b, y))
        y--;
    if (y >= first)
        reach_through(g, y);
}

/* co, fr and hb|loc into the access b; `views` gains the past of what is there. */
static void reach_location(const struct pl_graph *g, const struct pl_node *b, uint16_t *views)
{
    for (unsigned t = 0; t < g->threads; t++) {
        const struct pl_node *a = pl_last_access(g, b->location, t, g->thread[t].count);
        while (a && (b->kind != PL_GRAPH_WRITE || pl_place(g, a) >= b->place) &&
               (a == b || !pl_in_hb(b, a->self)))
            a = pl_before(a);
        if (a)
            pl_view_join(views, a->hb);
        while (a && !is_sc(a))
            a = pl_before(a);
        if (a)
            reach(t, a->self.index + 1u);
    }
}

/* co and fr to a write that happens before the fence f, eco to any access that does. From what
 * happens before f itself nothing is gained: whatever precedes it comes to f as well. */
static void reach_observed(const struct pl_graph *g, const struct pl_node *f, uint32_t location,
                           uint16_t *views)
{
    const uint16_t *last = g->location[location - 1].last;
    int seen = -1, written = -1;
    uint64_t others = 0;
    for (unsigned t = 0; t < g->threads; t++)
        others |= (uint64_t)(last[t] > f->hb[t]) << t;
    for (unsigned t = 0; others && t < g->threads; t++) {
        const struct pl_node *n = pl_last_access(g, location, t, f->hb[t]);
        if (n && pl_place(g, n) > seen)
            seen = pl_place(g, n);
        while (n && n->kind != PL_GRAPH_WRITE)
            n = pl_before(n);
        if (n && n->place > written)
            written = n->place;
    }
    for (; seen >= 0 && others; others &= others - 1) {
        unsigned t = (unsigned)__builtin_ctzll(others);
        const struct pl_node *a = &g->thread[t].node[last[t] - 1];
        while (a && pl_place(g, a) >= seen + (a->kind == PL_GRAPH_WRITE))
            a = pl_before(a);
        if (!a || a->self.index < f->hb[t])
            continue;
        pl_view_join(views, a->hb);
        while (a && (!is_sc(a) || pl_place(g, a) >= written))
            a = pl_before(a);
        if (a)
            reach(t, a->self.index + 1u);
    }
}

/*
 * The psc edges into the seq_cst event b. Two kinds are not listed. What happens before a fence:
 * what comes before that in psc is listed here as well, and lowest_psc() looks at the fence's hb.
 * Fences that happen before an event before an access: they were reached with what led to the
 * access, whose past has them too.
 */
static void reach_before(const struct pl_graph *g, const struct pl_node *b)
{
    uint16_t views[PL_GRAPH_THREADS] = {0}; /* whose fences have psc edges into b */
    if (b->kind == PL_GRAPH_FENCE) {
        for (uint32_t i = 1; i <= g->locations; i++)
            if (g->location[i - 1].writes)
                reach_observed(g, b, i, views);
    } else {
        reach_around(g, b);
        reach_location(g, b, views);
    }
    (void)reach_fences(g, views);
}

/* Of `done` what comes before in psc is known. A fence has whatever comes before what happens
 * before it. */
static void close_past(const struct pl_graph *g, uint16_t *done)
{
    for (bool more = true; more;) {
        more = false;
        for (unsigned t = 0; t < g->threads; t++) {
            unsigned from = done[t], end = last_sc(g, t, past[t]);
            if (from < past[t])
                done[t] = past[t];
            for (unsigned k = end; k > from; k = last_sc(g, t, k - 1)) {
                const struct pl_node *b = &g->thread[t].node[k - 1];
                reach_before(g, b);
                more = true;
                if (b->kind == PL_GRAPH_FENCE) {
                    pl_view_join(done, b->hb);
                    break;
                }
            }
        }
    }
}

/* The newest value of the location that psc says to be older than e if these events are in its
 * past: of a seq_cst write among them, of a write (or any access) that happens before a fence. */
static int lowest_psc(const struct pl_graph *g, const struct pl_node *e, bool any,
                      const uint16_t *events)
{
    uint16_t views[PL_GRAPH_THREADS] = {0};
    int place = -1;
    for (unsigned t = 0; t < g->threads; t++) {
        unsigned fence = last_fence(g, t, events[t]);
        if (fence)
            pl_view_join(views, g->thread[t].node[fence - 1].hb);
        const struct pl_node *w = pl_last_access(g, e->location, t, events[t]);
        while (w && (w->kind != PL_GRAPH_WRITE || !is_sc(w)))
            w = pl_before(w);
        if (w && w->place > place)
            place = w->place;
    }
    for (unsigned t = 0; t < g->threads; t++) {
        const struct pl_node *n = pl_last_access(g, e->location, t, views[t]);
        while (n && !any && n->kind != PL_GRAPH_WRITE)
            n = pl_before(n);
        if (n && pl_place(g, n) > place)
            place = pl_place(g, n);
    }
    return place;
}

/* With the whole past of what was reached; that is not looked for where nothing could come of it.
 */
static int raise(const struct pl_graph *g, const struct pl_node *e, bool any, int place,
                 uint16_t *done)
{
    uint16_t all[PL_GRAPH_THREADS] = {0};
    for (unsigned t = 0; t < g->threads; t++)
        all[t] = (uint16_t)(t == e->self.thread ? e->self.index : g->thread[t].count);
    if (lowest_psc(g, e, any, all) <= place)
        return place;
    close_past(g, done);
    int found = lowest_psc(g, e, any, past);
    return found > place ? found : place;
}

static int lowest(const struct pl_graph *g, const struct pl_node *e)
{
    uint16_t before[PL_GRAPH_THREADS], done[PL_GRAPH_THREADS] = {0};
    memcpy(before, e->hb, sizeof before);
    before[e->self.thread] = e->self.index;
    int top = (int)g->location[e->location - 1].writes - 1;
    int place = pl_view_place(g, e->location, before); /* coherence */
    if (place == top)
        return place;
    memset(past, 0, sizeof past);
    if (reach_fences(g, before))
        place = raise(g, e, true, place, done);
    if (is_sc(e) && place != top) {
        reach(e->self.thread, e->self.index);
        reach_around(g, e);
        place = raise(g, e, false, place, done);
    }
    return place;
}

const struct pl_model pl_model_rc11 = {"rc11", lowest};
