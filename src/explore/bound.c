/* Exploring only executions with few preemptions: what the search asks of preemptions.h. */
#include "explore/preemptions.h"
#include "explore/trust_internal.h"

void pl_trust_bound(struct pl_trust *x, unsigned most)
{
    x->bounded = true;
    x->most = most;
    pl_turns_restart(x);
}

void pl_trust_confirm(struct pl_trust *x)
{
    x->confirms = true;
}

void pl_trust_do_not_cut(struct pl_trust *x)
{
    x->uncut = true;
    x->turning = false;
}

static bool exceeds(const struct pl_graph *g, unsigned most)
{
    const struct pl_preemptions all = {.last = -1, .kindly = true, .most = most};
    return pl_preemptions_least(g, &all) > most;
}

bool pl_trust_is_beyond(struct pl_trust *x)
{
    if (!x->bounded || !exceeds(x->g, x->most))
        return false;
    x->counts.beyond++;
    return true;
}

static struct pl_preemptions question(const struct pl_trust *x, const struct pl_trust_ending *end)
{
    /* one exploration a process: no two calls at once */
    static struct pl_node step[PL_GRAPH_THREADS];
    static const struct pl_node *next[PL_GRAPH_THREADS];
    for (unsigned t = 0; t < x->g->threads; t++)
        next[t] = pl_turns_attempted(x, t, &step[t]) ? &step[t] : NULL;
    return (struct pl_preemptions){.made = x->made,
                                   .last = end->last,
                                   .whole = end->whole,
                                   .waiting = end->waiting,
                                   .next = next,
                                   .edge = end->edge,
                                   .edges = end->edges,
                                   .most = PL_PREEMPTIONS_ANY};
}

unsigned pl_trust_preemptions(const struct pl_trust *x, const struct pl_trust_ending *end)
{
    const struct pl_preemptions q = question(x, end);
    return pl_preemptions_least(x->g, &q);
}

uint64_t pl_trust_save_shortest(const struct pl_trust *x, const struct pl_trust_ending *end,
                                uint8_t *out, uint64_t room)
{
    /* one exploration a process: no two calls at once */
    static struct pl_ref order[PL_GRAPH_EVENTS];
    static bool preempts[PL_GRAPH_EVENTS];
    const struct pl_preemptions q = question(x, end);
    uint32_t count;
    (void)pl_preemptions_order(x->g, &q, order, preempts, &count);
    return pl_trust_write_script(x, order, preempts, count, out, room);
}

bool pl_trust_yields(const struct pl_trust *x)
{
    return x->script && x->yields;
}

void pl_trust_left_loop(struct pl_trust *x, unsigned thread, unsigned since)
{
    if (since >= x->made[thread])
        return;
    struct pl_node *first = &x->g->thread[thread].node[since];
    unsigned events = first->kind == PL_GRAPH_READ && (first->flags & PL_GRAPH_F_RMW) ? 2 : 1;
    if (first->kind == PL_GRAPH_READ && since + events == x->made[thread]) {
        first->flags |= PL_GRAPH_F_SPIN;
        pl_turns_left_loop(x, first);
    }
}
