/*
 * Revisits in place (Kokologiannakis, Marmanis, Vafeiadis, "Unblocking Dynamic Partial Order
 * Reduction", CAV 2023): the run under way goes on as that of the revisited graph, where it has
 * made nothing that this graph does not have, but for reads at which threads stand still.
 */
#include <string.h>

#include "explore/trust_internal.h"

/* Is the event one that can be added in one way only, wherever it comes? */
static bool has_no_choice(const struct pl_node *n)
{
    return !n->location && n->kind != PL_GRAPH_CHOICE;
}

/* Does the revisit delete only such events, and reads that threads stand at? */
static bool keeps_all_else(const struct pl_graph *g, const struct pl_node *victim,
                           const struct pl_node *w, uint64_t standing)
{
    for (unsigned t = 0; t < g->threads; t++) {
        unsigned count = g->thread[t].count;
        if (count && (standing >> t & 1) && g->thread[t].node[count - 1].kind == PL_GRAPH_READ)
            count--;
        for (; count > w->porf[t]; count--) {
            const struct pl_node *n = &g->thread[t].node[count - 1];
            if (n->stamp < victim->stamp)
                break; /* stamps grow along po */
            if (!has_no_choice(n))
                return false;
        }
    }
    return true;
}

static void add_again(struct pl_graph *g, const struct pl_node *old)
{
    struct pl_node *n = pl_graph_add(g, old->self.thread, old->kind, 0);
    n->value = old->value;
    n->other = old->other;
    n->order = old->order;
    if (n->kind == PL_GRAPH_FENCE)
        pl_graph_set_rf(g, n, PL_INIT);
    if (n->kind == PL_GRAPH_BEGIN && n->value < g->threads)
        pl_graph_add_create(g, n);
    if (n->kind == PL_GRAPH_JOIN)
        pl_graph_add_past(n, &g->thread[n->value].node[g->thread[n->value].count - 1]);
}

/* What the revisit deleted without need: the program would make it again, all the same. So the
 * other ways of the new frame start with it, too. */
static void add_deleted(struct pl_trust *x, const struct pl_graph *old)
{
    struct pl_graph *g = x->g;
    struct pl_ref victim = g->order[--g->events]; /* it stays the last */
    for (uint32_t i = 0; i < old->events; i++) {
        struct pl_ref e = old->order[i];
        if (e.index >= g->thread[e.thread].count && has_no_choice(pl_at(old, e)))
            add_again(g, pl_at(old, e));
    }
    g->order[g->events++] = victim;
    for (uint32_t i = x->base[x->depth]; i < x->items; i++) {
        x->item[i].count = g->events;
        x->item[i].stamps = g->stamps;
    }
}

/*
 * The way that was kept for the revisit, no longer kept. Nor are those that would let a younger
 * read take its value from the write: the victim would go on standing there, outdated, and for
 * good, as model_await.c has it (the younger read is the x of that argument).
 */
static bool withdraw(struct pl_trust *x, const struct pl_node *write, const struct pl_node *victim,
                     struct item *way)
{
    uint32_t least = x->base[x->depth] + x->given[x->depth], first = x->items, kept;
    bool found = false, after = victim->rf.thread == write->self.thread;
    while (first > least && pl_same(x->item[first - 1].event, write->self))
        first--;
    for (uint32_t i = kept = first; i < x->items; i++) {
        struct item *it = &x->item[i];
        if (it->kind == WAY_REVISIT && pl_same(it->victim, victim->self)) {
            *way = *it;
            found = true;
        } else if (it->kind != WAY_REVISIT || !after ||
                   pl_at(x->g, it->victim)->stamp < victim->stamp) {
            x->item[kept++] = *it;
        }
    }
    x->items = kept;
    return found;
}

bool pl_trust_revisit_here(struct pl_trust *x, const struct pl_node *victim, uint64_t standing)
{
    const struct pl_graph *g = x->g;
    struct pl_ref reader = victim->self;
    struct item way;
    if (x->probing || x->sample || x->script || x->failure || x->at != g->events)
        return false;
    const struct pl_node *w = pl_at(g, g->order[g->events - 1]);
    if (w->kind != PL_GRAPH_WRITE ||
        (uint32_t)w->place + 1 != g->location[w->location - 1].writes ||
        !keeps_all_else(g, victim, w, standing) || !withdraw(x, w, victim, &way))
        return false;
    (void)pl_trust_take(x, &way);
    if (x->failure || x->items == x->base[x->depth])
        return false;          /* the frame is empty: nothing comes of it */
    way = x->item[--x->items]; /* the last place is the newest: as it stands in memory */
    (void)pl_trust_take(x, &way);
    add_deleted(x, g);
    pl_trust_share(x);
    for (unsigned t = 0; t < x->g->threads; t++)
        x->made[t] = x->g->thread[t].count;
    x->made[reader.thread]--;
    x->at = x->g->events - 1; /* the victim is the last of the order */
    return true;
}
