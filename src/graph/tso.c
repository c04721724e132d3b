/*
 * x86-TSO, axiomatically: each location is coherent (po restricted to it, rf, co, fr), and
 * the global order has no cycle: po without write-to-read pairs, what fences and
 * read-modify-writes keep, rf between threads, co, fr.
 *
 * C11 as compiled for x86: a seq_cst store is followed by a full fence (it is compiled to
 * an exchange), every read-modify-write is one (a compare-and-swap also when it fails), a
 * seq_cst fence is one; weaker fences and orders cost nothing there.
 *
 * As under sc (sc.c says why) a new event closes a cycle only through the write co-after it,
 * so its past decides. That is here two numbers a thread: how far its events are in the past
 * that are not buffered stores, and how far its stores are.
 */
#include <string.h>

#include "graph/clients.h"

static struct {
    uint16_t issued[PL_GRAPH_THREADS]; /* reads, fences, calls with a smaller index */
    uint16_t stored[PL_GRAPH_THREADS]; /* writes, unlocks */
} past;

static void reach_issued(struct pl_ref e)
{
    if (past.issued[e.thread] <= e.index)
        past.issued[e.thread] = (uint16_t)(e.index + 1);
}

/* A store comes after everything before it in its thread. */
static void reach_stored(struct pl_ref e)
{
    reach_issued(e);
    if (past.stored[e.thread] <= e.index)
        past.stored[e.thread] = (uint16_t)(e.index + 1);
}

static bool drains(const struct pl_node *n)
{
    return (n->kind >= PL_GRAPH_BEGIN && n->kind != PL_GRAPH_UNLOCK) ||
           (n->kind == PL_GRAPH_FENCE && n->order == PL_SC) ||
           (n->kind == PL_GRAPH_WRITE && ((n->flags & PL_GRAPH_F_RMW) || n->order == PL_SC));
}

/* What comes before an event that is not a buffered store. */
static void before_issued(const struct pl_node *n)
{
    bool update = n->op != PL_OP_NONE; /* the read of one, also of a CAS that fails */
    if (drains(n) || update)
        reach_stored(n->self);
    if (n->kind == PL_GRAPH_READ && !pl_is_init(n->rf) && n->rf.thread != n->self.thread)
        reach_stored(n->rf);
    if (n->kind >= PL_GRAPH_BEGIN && drains(n)) /* create, join */
        for (unsigned t = 0; t < PL_GRAPH_THREADS; t++)
            if (n->porf[t])
                reach_stored((struct pl_ref){(uint16_t)t, (uint16_t)(n->porf[t] - 1)});
}

/* What comes before a store: the write co-before it and its readers; before a lock the unlock. */
static void before_stored(const struct pl_graph *g, const struct pl_node *w)
{
    const struct pl_location *l = &g->location[w->location - 1];
    struct pl_ref r = l->readers;
    if (w->place > 0) {
        reach_stored(l->co[w->place - 1]);
        r = pl_at(g, l->co[w->place - 1])->readers;
    }
    for (; !pl_is_init(r); r = pl_at(g, r)->next)
        reach_issued(r);
    const struct pl_node *unlock = w->flags & PL_GRAPH_F_LOCK ? pl_graph_awaited(g, w) : NULL;
    if (unlock && unlock != w)
        reach_stored(unlock->self);
}

static void close_past(const struct pl_graph *g)
{
    uint16_t issued[PL_GRAPH_THREADS] = {0}, stored[PL_GRAPH_THREADS] = {0};
    for (bool more = true; more;) {
        more = false;
        for (unsigned t = 0; t < g->threads; t++) {
            const struct pl_node *node = g->thread[t].node;
            for (; issued[t] < past.issued[t]; issued[t]++, more = true)
                before_issued(&node[issued[t]]);
            for (; stored[t] < past.stored[t]; stored[t]++, more = true)
                if (node[stored[t]].kind == PL_GRAPH_WRITE)
                    before_stored(g, &node[stored[t]]);
        }
    }
}

static int lowest(const struct pl_graph *g, const struct pl_node *e)
{
    /* The thread's own earlier accesses to the location: never an older write than they saw. */
    const struct pl_node *own = pl_before(e);
    int place = own ? pl_place(g, own) : -1;
    if (place == (int)g->location[e->location - 1].writes - 1)
        return place;
    memset(&past, 0, sizeof past);
    past.issued[e->self.thread] = e->self.index;
    if (e->kind == PL_GRAPH_WRITE || e->op != PL_OP_NONE)
        past.stored[e->self.thread] = e->self.index;
    close_past(g);
    for (unsigned t = 0; t < g->threads; t++) {
        const struct pl_node *n = pl_last_access(g, e->location, t, past.stored[t]);
        while (n && n->kind != PL_GRAPH_WRITE)
            n = pl_before(n);
        if (n && n->place > place)
            place = n->place;
    }
    return place;
}

void pl_tso_past(const struct pl_graph *g, unsigned thread, unsigned count, uint16_t *out)
{
    memset(&past, 0, sizeof past);
    past.issued[thread] = past.stored[thread] = (uint16_t)count;
    close_past(g);
    memcpy(out, past.issued, sizeof past.issued);
}

const struct pl_model pl_model_tso = {"tso", lowest};
