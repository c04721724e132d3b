/*
 * Exploring with few preemptions (turns.c): threads that sleep.
 *
 * A thread that was left before its step s, though it could have gone on, sleeps until somebody
 * makes a step, or attempts one and has to wait, that is in conflict with s. A run in which it goes
 * on earlier is given up:
 *
 *     α │ β │ s γ        p is left before s, nothing in β is in conflict with s
 *     α s │ β │ γ        the same execution: p is left after s
 *
 * The second costs no more. Leaving p costs 1 in the first, and at most 1 in the second (nothing if
 * it cannot go on after s). What β costs is the same in both: who cannot go on there cannot in
 * either, or it would be waiting for s, which is a conflict. If γ begins with p, the end of β costs
 * the same. If it begins with r, the first pays for leaving p, and for the end of β unless its last
 * thread cannot go on; the second pays for the end of β at most once, and has left p already. Where
 * p was left for nothing because it may have waited (waits.c) the same holds: it reads nothing
 * newer, and would have to pay now.
 *
 * So of the orders of an execution that cost least, the one in which threads are left as late as
 * can be is never given up, and neither are those that turns.c argues with: they are the same up
 * to where the thread that was left too late makes its step, or is not there to make it.
 */
#include "explore/trust_internal.h"

/* Where the thread was left: after its last step of the first `at`. */
static const struct turn *left_at(const struct pl_trust *x, unsigned thread, uint32_t at)
{
    const struct pl_graph_thread *t = &x->g->thread[thread];
    uint32_t k = t->count;
    while (t->node[k - 1].stamp > at)
        k--;
    return &x->turn[t->node[k - 1].stamp];
}

/* Those who sleep before step `at` and are in conflict with one there. key: of its location. */
static uint64_t woken(const struct pl_trust *x, uint32_t at, uint64_t sleepers, uint64_t key,
                      bool writes)
{
    uint64_t awake = 0;
    for (uint64_t left = sleepers; left; left &= left - 1) {
        const struct turn *n = left_at(x, (unsigned)__builtin_ctzll(left), at);
        if (n->about == key && (writes || n->about_writes))
            awake |= left & -left;
    }
    return awake;
}

void pl_turns_wake(struct pl_trust *x, const struct attempt *a)
{
    struct turn *n = &x->turn[x->at];
    if (!a->location && !a->joined)
        n->asleep = 0; /* nobody knows what it waits for */
    else if (a->location)
        n->asleep &= ~woken(x, x->at, n->asleep, x->g->location[a->location - 1].key, false);
}

uint64_t pl_turns_sleepers(const struct pl_trust *x, const struct pl_node *e, bool leaves)
{
    uint32_t at = x->at - 1;
    const struct turn *n = &x->turn[at];
    uint64_t sleepers = n->asleep & ~((uint64_t)1 << e->self.thread);
    unsigned mover = leaves && n->about ? pl_turns_mover(x->g, at) : NOBODY;
    if (mover != NOBODY)
        sleepers |= (uint64_t)1 << mover;
    if (!sleepers || !e->location)
        return sleepers;
    uint64_t key = x->g->location[e->location - 1].key;
    return sleepers & ~woken(x, at, sleepers, key, e->kind != PL_GRAPH_READ);
}

/* A thread that waits, and may stop waiting by itself, may do something else when it goes on. */
static bool has_waited(const struct pl_trust *x, unsigned thread, uint32_t at)
{
    for (uint32_t i = x->attempts; i > 0 && x->attempt[i - 1].at >= at; i--)
        if (x->attempt[i - 1].at == at && x->attempt[i - 1].thread == thread)
            return true;
    return false;
}

void pl_turns_set_about(struct pl_trust *x, uint32_t at)
{
    const struct pl_graph *g = x->g;
    struct turn *n = &x->turn[at];
    if (n->about || at >= g->events || g->order[at].thread != pl_turns_mover(g, at))
        return;
    const struct pl_node *next = pl_at(g, g->order[at]);
    if (!next->location || has_waited(x, next->self.thread, at))
        return;
    n->about = g->location[next->location - 1].key;
    n->about_writes = next->kind != PL_GRAPH_READ || (next->flags & PL_GRAPH_F_RMW);
}

void pl_turns_wake_by_wait(struct pl_trust *x, uint32_t at)
{
    struct turn *n = &x->turn[at];
    if (n->asleep)
        n->asleep &= n->about ? ~woken(x, at, n->asleep, n->about, false) : 0;
}
