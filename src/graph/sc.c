/*
 * Sequential consistency: po ∪ rf ∪ co ∪ fr, with the edges of create, join and unlock,
 * has no cycle.
 *
 * A new event e closes one only through the write co-after it: e is before that write (co or
 * fr), so the write must not be in e's past. Its other new edges (from what it reads, from the
 * write co-before it and that one's readers) close none, because those are before the same
 * write already. So it is enough to know the past of e's thread, and the newest value of the
 * location seen there.
 */
#include <string.h>

#include "graph/graph.h"

static uint16_t past[PL_GRAPH_THREADS]; /* a number of events a thread; closed under po ∪ rf */

static void reach(const struct pl_graph *g, struct pl_ref e)
{
    if (e.index >= past[e.thread])
        pl_view_join(past, pl_at(g, e)->porf);
}

/* The write co-before `w` and its readers. */
static void before_write(const struct pl_graph *g, const struct pl_node *w)
{
    const struct pl_location *l = &g->location[w->location - 1];
    struct pl_ref r = l->readers;
    if (w->place > 0) {
        reach(g, l->co[w->place - 1]);
        r = pl_at(g, l->co[w->place - 1])->readers;
    }
    for (; !pl_is_init(r); r = pl_at(g, r)->next)
        reach(g, r);
}

static int lowest(const struct pl_graph *g, const struct pl_node *e)
{
    uint16_t done[PL_GRAPH_THREADS] = {0};
    memcpy(past, e->porf, sizeof past);
    past[e->self.thread] = e->self.index;
    int top = (int)g->location[e->location - 1].writes - 1;
    if (pl_view_place(g, e->location, past) == top)
        return top;
    for (bool more = true; more;) {
        more = false;
        for (unsigned t = 0; t < g->threads; t++)
            for (; done[t] < past[t]; done[t]++, more = true) {
                const struct pl_node *n = &g->thread[t].node[done[t]];
                if (n->kind == PL_GRAPH_WRITE)
                    before_write(g, n);
            }
    }
    return pl_view_place(g, e->location, past);
}

const struct pl_model pl_model_sc = {"sc", lowest};
