/* Topological sorting of events (Kahn), with its arrays kept between calls. */
#include "graph/topology.h"

#include <string.h>

static struct {
    uint32_t base[PL_GRAPH_THREADS]; /* number of the first event of a thread */
    uint32_t head[PL_GRAPH_EVENTS], degree[PL_GRAPH_EVENTS], queue[PL_GRAPH_EVENTS];
    uint32_t next[PL_TOPOLOGY_EDGES], to[PL_TOPOLOGY_EDGES];
} work; /* one exploration a process: no two calls at once */

void pl_topology_init(struct pl_topology *t, const struct pl_graph *g)
{
    uint32_t n = 0;
    for (unsigned i = 0; i < g->threads; i++) {
        work.base[i] = n;
        n += g->thread[i].count;
    }
    memset(work.head, 0xff, n * sizeof *work.head);
    memset(work.degree, 0, n * sizeof *work.degree);
    *t = (struct pl_topology){.g = g};
}

void pl_topology_edge(struct pl_topology *t, struct pl_ref from, struct pl_ref to)
{
    if (t->edges == PL_TOPOLOGY_EDGES) {
        t->overflow = true;
        return;
    }
    uint32_t a = work.base[from.thread] + from.index, b = work.base[to.thread] + to.index;
    work.to[t->edges] = b;
    work.next[t->edges] = work.head[a];
    work.head[a] = t->edges++;
    work.degree[b]++;
}

static void read_edges(struct pl_topology *t, const struct pl_node *r, bool internal)
{
    const struct pl_location *l = &t->g->location[r->location - 1];
    int place = pl_co_place(t->g, r->location, r->rf);
    if (place >= 0 && (internal || r->rf.thread != r->self.thread))
        pl_topology_edge(t, r->rf, r->self);
    /* fr to the next write; the own half of a read-modify-write comes after it anyway */
    if (place + 1 < (int)l->writes)
        pl_topology_edge(t, r->self, l->co[place + 1]);
}

static void call_edges(struct pl_topology *t, const struct pl_node *n)
{
    const struct pl_graph *g = t->g;
    unsigned other = (unsigned)n->value;
    if (n->kind == PL_GRAPH_CREATE && other < g->threads && g->thread[other].count)
        pl_topology_edge(t, n->self, g->thread[other].node[0].self);
    if (n->kind == PL_GRAPH_JOIN)
        pl_topology_edge(t, g->thread[other].node[g->thread[other].count - 1].self, n->self);
    if (n->kind == PL_GRAPH_UNLOCK) { /* before the lock that follows the one it ends */
        const struct pl_location *l = &g->location[n->location - 1];
        int place =
            pl_co_place(g, n->location, (struct pl_ref){n->self.thread, (uint16_t)n->other});
        if (place >= 0 && place + 1 < (int)l->writes)
            pl_topology_edge(t, n->self, l->co[place + 1]);
    }
}

void pl_topology_memory(struct pl_topology *t, bool internal)
{
    const struct pl_graph *g = t->g;
    for (unsigned i = 0; i < g->threads; i++)
        for (unsigned k = 0; k < g->thread[i].count; k++) {
            const struct pl_node *n = &g->thread[i].node[k];
            if (n->kind == PL_GRAPH_READ)
                read_edges(t, n, internal);
            else if (n->kind >= PL_GRAPH_CREATE)
                call_edges(t, n);
        }
    for (unsigned i = 0; i < g->locations; i++)
        for (unsigned k = 1; k < g->location[i].writes; k++)
            pl_topology_edge(t, g->location[i].co[k - 1], g->location[i].co[k]);
}

bool pl_topology_acyclic(struct pl_topology *t)
{
    uint32_t n = t->g->events, done = 0, filled = 0;
    for (uint32_t i = 0; i < n; i++)
        if (!work.degree[i])
            work.queue[filled++] = i;
    while (done < filled) {
        uint32_t a = work.queue[done++];
        for (uint32_t e = work.head[a]; e != 0xffffffff; e = work.next[e])
            if (--work.degree[work.to[e]] == 0)
                work.queue[filled++] = work.to[e];
    }
    return done == n && !t->overflow;
}

bool pl_atomic_updates(const struct pl_graph *g, uint32_t location)
{
    if (!location)
        return true;
    const struct pl_location *l = &g->location[location - 1];
    for (uint32_t i = 0; i < l->writes; i++) {
        const struct pl_node *w = pl_at(g, l->co[i]);
        struct pl_ref before = i ? l->co[i - 1] : PL_INIT;
        if ((w->flags & PL_GRAPH_F_RMW) && !pl_same(w[-1].rf, before))
            return false;
    }
    return true;
}
