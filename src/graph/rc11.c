/*
 * RC11 (Lahav, Vafeiadis, Kang, Hur, Dreyer, PLDI 2017).
 *
 * COHERENCE  hb ; eco? is irreflexive: no event reads or overwrites something older than
 *            what happens before it has seen.
 * ATOMICITY  nothing comes between the halves of a read-modify-write.
 * SC         psc = psc_base ∪ psc_F has no cycle.
 * The fourth axiom, sb ∪ rf acyclic, holds of every graph we build: a read takes its value
 * from a write that is there, and a revisit only from one the read is not in the past of.
 *
 * Positions instead of eco: with pos(w) the place of a write in co and pos(r) that of what
 * r reads, a ─eco→ b holds between events of one location exactly when pos(a) < pos(b), or
 * a is a write and b reads it.
 */
#include <stddef.h>

#include "graph/topology.h"

/* ---- coherence ---- */

static bool is_access(const struct pl_node *n)
{
    return n->kind == PL_GRAPH_READ || n->kind == PL_GRAPH_WRITE;
}

/* The event has no successor, so only its past can contradict it. */
static bool coherent(const struct pl_graph *g, const struct pl_node *e)
{
    int place = pl_co_place(g, e->location, pl_write_of(e));
    for (unsigned t = 0; t < g->threads; t++) {
        unsigned end = e->hb[t];
        if (t == e->self.thread)
            end = e->self.index;
        for (unsigned k = 0; k < end; k++) {
            const struct pl_node *n = &g->thread[t].node[k];
            if (!is_access(n) || n->location != e->location)
                continue;
            int seen = pl_co_place(g, n->location, pl_write_of(n));
            if (e->kind == PL_GRAPH_WRITE ? seen >= place : seen > place)
                return false;
        }
    }
    return true;
}

/* ---- psc ---- */

enum { SC_MAX = PL_GRAPH_EVENTS }; /* all of them, if need be */

static struct {
    const struct pl_node *node[SC_MAX]; /* the seq_cst events */
    bool edge[SC_MAX][SC_MAX];
    uint8_t colour[SC_MAX];
    int place[PL_GRAPH_THREADS][PL_GRAPH_LENGTH];
    struct pl_ref next_sc[PL_GRAPH_THREADS][PL_GRAPH_LENGTH]; /* seq_cst write after a write */
    struct pl_ref first_sc[PL_GRAPH_LOCATIONS];               /* of a location */
} work; /* one exploration a process: no two calls at once */

static int place_of(const struct pl_node *n)
{
    return work.place[n->self.thread][n->self.index];
}

static bool is_sc(const struct pl_node *n)
{
    return n->order == PL_SC && (is_access(n) || n->kind == PL_GRAPH_FENCE);
}

static bool is_fence(const struct pl_node *n)
{
    return n->kind == PL_GRAPH_FENCE;
}

static bool hb(const struct pl_node *a, const struct pl_node *b)
{
    return a != b && pl_in_hb(b, a->self);
}

static bool same_location(const struct pl_node *a, const struct pl_node *b)
{
    return a->location && a->location == b->location && is_access(a) && is_access(b);
}

static bool eco(const struct pl_node *a, const struct pl_node *b)
{
    if (a == b || !same_location(a, b))
        return false;
    int pa = place_of(a), pb = place_of(b);
    if (a->kind == PL_GRAPH_WRITE && b->kind == PL_GRAPH_READ)
        return pa <= pb;
    return pa < pb;
}

/* sb|≠loc ; hb ; sb|≠loc: hb is closed under sb, so the first event after a and the last
 * before b at other locations decide. */
static bool around(const struct pl_graph *g, const struct pl_node *a, const struct pl_node *b)
{
    const struct pl_graph_thread *ta = &g->thread[a->self.thread];
    const struct pl_node *x = a + 1, *y = b - 1;
    while (x < ta->node + ta->count && same_location(a, x))
        x++;
    while (y >= g->thread[b->self.thread].node && same_location(b, y))
        y--;
    return x < ta->node + ta->count && y >= g->thread[b->self.thread].node && hb(x, y);
}

static bool scb(const struct pl_graph *g, const struct pl_node *a, const struct pl_node *b)
{
    if (a == b)
        return false;
    if (a->self.thread == b->self.thread && a->self.index < b->self.index)
        return true;
    if (same_location(a, b)) {
        if (hb(a, b))
            return true;
        if (b->kind == PL_GRAPH_WRITE && place_of(a) < place_of(b)) /* co, fr */
            return true;
    }
    return around(g, a, b);
}

/* Does x ─scb→ y lead on to the seq_cst event b: y is b, or b is a fence after y? */
static bool leads_to(const struct pl_graph *g, const struct pl_node *x, const struct pl_node *b)
{
    if (scb(g, x, b))
        return true;
    if (!is_fence(b))
        return false;
    for (unsigned t = 0; t < g->threads; t++)
        for (unsigned k = 0; k < b->hb[t]; k++) {
            const struct pl_node *y = &g->thread[t].node[k];
            if (y != b && scb(g, x, y))
                return true;
        }
    return false;
}

static bool fences_ordered(const struct pl_graph *g, const struct pl_node *a,
                           const struct pl_node *b)
{
    if (hb(a, b))
        return true;
    for (unsigned t = 0; t < g->threads; t++)
        for (unsigned k = 0; k < b->hb[t]; k++) {
            const struct pl_node *y = &g->thread[t].node[k];
            if (!is_access(y))
                continue;
            for (unsigned u = 0; u < g->threads; u++)
                for (unsigned m = 0; m < g->thread[u].count; m++) {
                    const struct pl_node *x = &g->thread[u].node[m];
                    if (eco(x, y) && hb(a, x))
                        return true;
                }
        }
    return false;
}

static bool psc(const struct pl_graph *g, const struct pl_node *a, const struct pl_node *b)
{
    if (leads_to(g, a, b))
        return true;
    if (!is_fence(a))
        return false;
    if (is_fence(b) && fences_ordered(g, a, b))
        return true;
    for (unsigned t = 0; t < g->threads; t++)
        for (unsigned k = 0; k < g->thread[t].count; k++) {
            const struct pl_node *x = &g->thread[t].node[k];
            if (hb(a, x) && leads_to(g, x, b))
                return true;
        }
    return false;
}

static bool cycle_from(uint32_t n, uint32_t at)
{
    work.colour[at] = 1;
    for (uint32_t i = 0; i < n; i++) {
        if (!work.edge[at][i])
            continue;
        if (work.colour[i] == 1 || (work.colour[i] == 0 && cycle_from(n, i)))
            return true;
    }
    work.colour[at] = 2;
    return false;
}

/*
 * Without seq_cst fences psc is scb between seq_cst accesses, and of the accesses of another
 * thread that scb orders before b the last is enough: sb orders the others before that one.
 */
static void edges_into(struct pl_topology *t, const struct pl_graph *g, const struct pl_node *b)
{
    const struct pl_node *y = b - 1, *first = g->thread[b->self.thread].node;
    while (y >= first && same_location(b, y))
        y--;
    for (unsigned u = 0; u < g->threads; u++) {
        if (u == b->self.thread)
            continue;
        const struct pl_graph_thread *thread = &g->thread[u];
        for (unsigned k = b->hb[u]; k > 0; k--) { /* hb|loc */
            const struct pl_node *a = &thread->node[k - 1];
            if (is_sc(a) && same_location(a, b)) {
                pl_topology_edge(t, a->self, b->self);
                break;
            }
        }
        for (unsigned k = y >= first ? y->hb[u] : 0; k > 1; k--) { /* sb|≠loc ; hb ; sb|≠loc */
            const struct pl_node *a = &thread->node[k - 2], *x = a + 1;
            while (x < thread->node + y->hb[u] && same_location(a, x))
                x++;
            if (is_sc(a) && x < thread->node + y->hb[u]) {
                pl_topology_edge(t, a->self, b->self);
                break;
            }
        }
    }
}

/* co and fr, from each seq_cst access to the next seq_cst write. */
static void edges_of_location(struct pl_topology *t, const struct pl_location *l)
{
    struct pl_ref next = PL_INIT;
    for (uint32_t i = l->writes; i-- > 0;) {
        const struct pl_node *w = pl_at(t->g, l->co[i]);
        work.next_sc[w->self.thread][w->self.index] = next;
        if (!is_sc(w))
            continue;
        if (!pl_is_init(next))
            pl_topology_edge(t, w->self, next);
        next = w->self;
    }
    work.first_sc[l - t->g->location] = next;
}

static bool accesses_ordered(const struct pl_graph *g)
{
    struct pl_topology t;
    pl_topology_init(&t, g);
    for (unsigned i = 0; i < g->locations; i++)
        edges_of_location(&t, &g->location[i]);
    for (unsigned u = 0; u < g->threads; u++) {
        const struct pl_node *before = NULL;
        for (unsigned k = 0; k < g->thread[u].count; k++) {
            const struct pl_node *e = &g->thread[u].node[k];
            if (!is_sc(e))
                continue;
            if (before)
                pl_topology_edge(&t, before->self, e->self);
            before = e;
            edges_into(&t, g, e);
            if (e->kind != PL_GRAPH_READ)
                continue;
            struct pl_ref next = pl_is_init(e->rf) ? work.first_sc[e->location - 1]
                                                   : work.next_sc[e->rf.thread][e->rf.index];
            if (!pl_is_init(next))
                pl_topology_edge(&t, e->self, next);
        }
    }
    return pl_topology_acyclic(&t);
}

static bool psc_acyclic(const struct pl_graph *g)
{
    uint32_t n = 0, fences = 0;
    for (unsigned t = 0; t < g->threads; t++)
        for (unsigned k = 0; k < g->thread[t].count; k++) {
            const struct pl_node *e = &g->thread[t].node[k];
            if (is_sc(e))
                work.node[n++] = e, fences += is_fence(e);
        }
    if (n < 2)
        return true;
    if (!fences)
        return accesses_ordered(g);
    for (unsigned t = 0; t < g->threads; t++)
        for (unsigned k = 0; k < g->thread[t].count; k++) {
            const struct pl_node *e = &g->thread[t].node[k];
            if (is_access(e))
                work.place[t][k] = pl_co_place(g, e->location, pl_write_of(e));
        }
    for (uint32_t i = 0; i < n; i++) {
        work.colour[i] = 0;
        for (uint32_t k = 0; k < n; k++)
            work.edge[i][k] = psc(g, work.node[i], work.node[k]);
    }
    for (uint32_t i = 0; i < n; i++)
        if (work.colour[i] == 0 && cycle_from(n, i))
            return false;
    return true;
}

static bool consistent(const struct pl_graph *g, struct pl_ref last)
{
    const struct pl_node *e = pl_at(g, last);
    if (!pl_atomic_updates(g, e->location))
        return false;
    if (is_access(e) && !coherent(g, e))
        return false;
    return psc_acyclic(g);
}

const struct pl_model pl_model_rc11 = {"rc11", consistent};
