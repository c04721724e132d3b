/*
 * Threads that run the same code with the same argument may be renamed. Of the executions that
 * differ only so, one is explored (Kokologiannakis, Marmanis, Vafeiadis, "SPORE: Combining symmetry
 * and partial order reduction", PLDI 2024).
 *
 * Twins t and u, t first, are compared event by event. As long as both have made the same reads
 * (and nothing else but fences), event i of u is ordered after event i of t: u makes it only when t
 * has made its own, it reads nothing older, it stands later in co. The first write of each ends the
 * comparison, and so does the first difference. Sorting the threads of an execution by this order
 * shows that of each class of executions at least one is as the search wants it, unless the order
 * contradicts the causal past:
 *
 *   t: r ← w        u: r' ← w', …        w after w' in the order of events, before it in co
 *
 * where w has r' in its past. Named like this u would have to come before t, and the other way
 * round t reads something newer than u. Only a weak model lets a write stand before what was read
 * in its own past; a graph that has such a write ends the search, which begins again without twins
 * (pl_trust_check_twins). It need not have r: w and its past are there without it.
 *
 * Why nothing is lost: the edge from event i of t to that of u is like that from a creation to a
 * thread's first event, a part of the causal past: what a backward revisit keeps is closed under
 * it. So graphs that are as they should be stay so when their last events are deleted, and when an
 * event is added as a first visit does (last in co, reading the newest): all that TruSt needs of a
 * memory model.
 */
#include <string.h>

#include "explore/trust_internal.h"

void pl_trust_twin(struct pl_trust *x, unsigned thread, unsigned before)
{
    x->twin[thread] = (uint8_t)(before + 1);
    x->is_twin |= (uint64_t)1 << thread | (uint64_t)1 << before;
    x->twins = true;
}

bool pl_trust_is_astray(const struct pl_trust *x)
{
    return x->astray;
}

/* Have both done the same there, and may go on to be compared? */
static bool is_same(const struct pl_node *a, const struct pl_node *b)
{
    uint64_t written;
    if (a->kind != b->kind || a->location != b->location)
        return false;
    if (a->kind == PL_GRAPH_BEGIN || a->kind == PL_GRAPH_FENCE)
        return true;
    return a->kind == PL_GRAPH_READ && pl_same(a->rf, b->rf) && !pl_graph_awaits(a) &&
           !pl_graph_update(a, a->value, &written);
}

/* How many events of u, of the first `most`, t has made likewise. */
static unsigned shared(const struct pl_graph *g, unsigned t, unsigned u, unsigned most)
{
    unsigned k = 0;
    while (k < most && t < g->threads && u < g->threads && k < g->thread[t].count &&
           k < g->thread[u].count && is_same(&g->thread[t].node[k], &g->thread[u].node[k]))
        k++;
    return k;
}

uint64_t pl_trust_must_wait(const struct pl_trust *x, uint64_t enabled)
{
    uint64_t wait = 0;
    for (uint64_t left = x->twins ? enabled : 0; left; left &= left - 1) {
        unsigned u = (unsigned)__builtin_ctzll(left), t = x->twin[u];
        unsigned made = u < x->g->threads ? x->g->thread[u].count : 0;
        if (t-- && (t >= x->g->threads || x->g->thread[t].count <= made) &&
            shared(x->g, t, u, made) == made)
            wait |= (uint64_t)1 << u;
    }
    return wait;
}

int pl_trust_twin_place(const struct pl_trust *x, const struct pl_node *e)
{
    const struct pl_graph *g = x->g;
    unsigned u = e->self.thread, i = e->self.index;
    int place = -1;
    for (unsigned t = x->twin[u]; t--; t = x->twin[t]) {
        const struct pl_node *n = &g->thread[t].node[i];
        if (i >= g->thread[t].count || shared(g, t, u, i) < i || n->kind != e->kind ||
            n->location != e->location || pl_place(g, n) == PL_NOWHERE)
            continue;
        place = pl_place(g, n) > place ? pl_place(g, n) : place;
    }
    return place;
}

/* The last of the events of the thread that are compared: all up to its first write. */
static unsigned compared(const struct pl_graph *g, unsigned thread, unsigned most)
{
    unsigned k = 0;
    while (k < most && g->thread[thread].node[k].kind != PL_GRAPH_WRITE)
        k++;
    return k;
}

void pl_trust_check_twins(struct pl_trust *x, const struct pl_node *w, unsigned place)
{
    const struct pl_graph *g = x->g;
    for (unsigned u = 0; u < g->threads && !x->astray; u++) {
        if (!(x->is_twin >> u & 1) || u == w->self.thread)
            continue;
        const struct pl_node *r = pl_last_access(g, w->location, u, compared(g, u, w->porf[u]));
        x->astray = r && pl_place(g, r) >= (int)place;
    }
}

static bool is_after(const struct pl_graph *g, struct pl_ref e, unsigned k)
{
    return e.thread == 0 ? e.index >= k : pl_at(g, e)->porf[0] > k;
}

/* What is not in front of the k-th event of main comes behind all else: still an order of the
 * graph. */
static void put_last(const struct pl_graph *g, struct pl_ref *order, unsigned k)
{
    static struct pl_ref behind[PL_GRAPH_EVENTS];
    uint32_t first = 0, last = 0;
    for (uint32_t i = 0; i < g->events; i++)
        if (is_after(g, order[i], k))
            behind[last++] = order[i];
        else
            order[first++] = order[i];
    memcpy(order + first, behind, last * sizeof *behind);
}

/* An order in which main joins as late as it can: it joins the threads in an order of its own, so
 * all those that can have ended have to. */
static uint32_t order_with_late_joins(const struct pl_graph *g, struct pl_ref *order)
{
    memcpy(order, g->order, g->events * sizeof *order);
    for (unsigned k = 0; k < g->thread[0].count; k++)
        if (g->thread[0].node[k].kind == PL_GRAPH_JOIN)
            put_last(g, order, k);
    return g->events;
}

uint64_t pl_trust_save_renamed(const struct pl_trust *x, const uint8_t *name, uint8_t *out,
                               uint64_t room)
{
    static struct pl_ref order[PL_GRAPH_EVENTS]; /* one exploration a process */
    uint32_t count = order_with_late_joins(x->g, order);
    uint64_t used = pl_trust_write_script(x, order, NULL, count, out, room);
    if (used != (uint64_t)count * PL_SCRIPT_BYTES)
        return 0;
    for (uint32_t i = 0; i < count; i++) { /* thread, then what it reads: two bytes each */
        const struct pl_node *n = pl_at(x->g, order[i]);
        uint8_t *step = out + (uint64_t)i * PL_SCRIPT_BYTES;
        step[0] = name[n->self.thread];
        if (n->kind == PL_GRAPH_READ && !pl_is_init(n->rf))
            step[2] = name[n->rf.thread];
    }
    return used;
}

void pl_trust_close(const struct pl_trust *x, uint16_t *view)
{
    const struct pl_graph *g = x->g;
    for (bool more = x->twins; more;) {
        more = false;
        for (unsigned u = 0; u < g->threads; u++) {
            unsigned t = x->twin[u];
            if (!t-- || !view[u])
                continue;
            unsigned until = shared(g, t, u, view[u]) + 1u;
            until = until < view[u] ? until : view[u];
            until = until < g->thread[t].count ? until : g->thread[t].count;
            const struct pl_node *last = &g->thread[t].node[until - 1];
            if (until && last->kind == PL_GRAPH_READ && (last->flags & PL_GRAPH_F_RMW) &&
                until < g->thread[t].count)
                last++, until++;
            if (view[t] >= until)
                continue;
            pl_view_join(view, last->porf);
            more = true;
        }
    }
}
