/*
 * The order of points under sc: clients.h. One turn over the events, in an order that respects all
 * edges; such a one is there, because the graph is consistent. Each thread is followed as far as
 * its last point, and others before it as far as an event of it needs them:
 *
 *     thread 1:  e │call│ r ─ ─ ─ ─ ┐ …           r needs the past of w: so thread 2 goes on to w,
 *     thread 2:  e  e  e │call│ w ◀─┘             and only then thread 1 goes on behind r
 *
 * S1  past[t][k]: the points before event k of thread t, if k < at[t].done.
 * S2  at[t].past: those before what comes next in the thread; the points of the thread up to there
 *     are in it and have their row. But for the unlock that a lock waited for: it is in the past of
 *     what follows the lock, and not in the lock's own. It is looked for when something follows.
 * S3  Threads that are being followed wait for each other in a chain, as in the picture. None comes
 *     twice in it, or the order of all events would have a cycle.
 *
 * What comes after the last point of a thread matters only if others have to do with it, so nothing
 * is lost if it is never looked at.
 */
#include <string.h>

#include "graph/clients_internal.h"

#define work pl_clients_work

static uint64_t past[PL_GRAPH_THREADS][PL_GRAPH_LENGTH];

static struct {
    uint64_t past, points; /* S2; the points that are not passed yet */
    uint32_t done, next;   /* S1; where the first of those points stands */
    const struct pl_node *node;
    bool locked, followed; /* the last event is a lock; S3 */
} at[PL_GRAPH_THREADS];

/* Events of main, who makes no calls, that no point can come before: the first ones. */
static uint32_t bare;

static uint64_t *order;

static void follow(unsigned t, uint32_t end);

static inline uint64_t past_of(struct pl_ref e)
{
    if (e.index >= at[e.thread].done)
        follow(e.thread, e.index + 1u);
    return past[e.thread][e.index];
}

/* Points that come next in the thread, up to those before event k. */
static uint64_t pass(unsigned t, uint32_t k, uint64_t mine)
{
    uint64_t rest = at[t].points;
    uint32_t next;
    do {
        order[__builtin_ctzll(rest)] = mine;
        mine |= rest & -rest;
        rest &= rest - 1;
        next = rest ? work.index[__builtin_ctzll(rest)] : UINT32_MAX;
    } while (next <= k);
    at[t].points = rest;
    at[t].next = next;
    return mine;
}

/* co and fr. Readers of the same thread are before the write in it. */
static uint64_t before_write(const struct pl_node *w)
{
    const struct pl_location *l = &work.g->location[w->location - 1];
    struct pl_ref r = l->readers;
    uint64_t points = 0;
    if (w->place > 0) {
        struct pl_ref last = l->co[w->place - 1];
        points = past_of(last);
        r = at[last.thread].node[last.index].readers;
    }
    for (; !pl_is_init(r); r = at[r.thread].node[r.index].next)
        if (r.thread != w->self.thread)
            points |= past_of(r);
    return points;
}

/* The edges of create and join: the views say what is new. */
static uint64_t before_thread(const struct pl_node *e)
{
    uint64_t points = 0;
    if (e->kind == PL_GRAPH_BEGIN && !e->value && e->porf[0] <= bare)
        return 0;
    for (unsigned k = 0; k < work.g->threads; k++)
        if (k != e->self.thread && e->porf[k] > (e->self.index ? e[-1].porf[k] : 0))
            points |= past_of((struct pl_ref){(uint16_t)k, (uint16_t)(e->porf[k] - 1)});
    return points;
}

/* S2: the last event before is a lock. */
static uint64_t before_unlock(const struct pl_node *lock)
{
    const struct pl_node *unlock = pl_clients_unlock(lock);
    return unlock ? past_of(unlock->self) : 0;
}

static void follow(unsigned t, uint32_t end)
{
    const struct pl_node *n = &at[t].node[at[t].done];
    uint64_t mine = at[t].past;
    bool locked = at[t].locked;
    if (at[t].followed) /* S3: never */
        return;
    at[t].followed = true;
    for (uint32_t k = at[t].done; k < end; k++, n++) {
        if (locked)
            mine |= before_unlock(n - 1);
        locked = false;
        if (at[t].next <= k)
            mine = pass(t, k, mine);
        if (n->kind == PL_GRAPH_READ) {
            if (!pl_is_init(n->rf))
                mine |= past_of(n->rf);
        } else if (n->kind == PL_GRAPH_WRITE) {
            mine |= before_write(n);
            locked = n->flags & PL_GRAPH_F_LOCK;
        } else if (n->kind == PL_GRAPH_BEGIN || n->kind == PL_GRAPH_JOIN) {
            mine |= before_thread(n);
        }
        past[t][k] = mine;
        at[t].done = k + 1;
    }
    at[t].past = mine;
    at[t].locked = locked;
    at[t].followed = false;
}

/* Those until main has created a thread, and further creations. */
static void find_bare(void)
{
    static uint32_t known; /* of that many the past is 0 from the last time */
    const struct pl_graph *g = work.g;
    const struct pl_node *n = g->thread[0].node;
    uint32_t count = work.of[0] || !g->threads ? 0 : g->thread[0].count;
    bare = 0;
    while (bare < count && n[bare].kind != PL_GRAPH_CREATE)
        bare++;
    while (bare < count && n[bare].kind == PL_GRAPH_CREATE)
        bare++;
    if (bare > known)
        memset(past[0] + known, 0, (bare - known) * sizeof *past[0]);
    known = bare;
}

void pl_clients_find_sc_order(uint64_t *out)
{
    const struct pl_graph *g = work.g;
    order = out;
    find_bare();
    for (unsigned t = 0; t < g->threads; t++) {
        at[t].node = g->thread[t].node;
        at[t].points = work.of[t];
        at[t].next = work.of[t] ? work.index[__builtin_ctzll(work.of[t])] : UINT32_MAX;
        at[t].past = 0;
        at[t].done = t ? 0 : bare;
        at[t].locked = at[t].followed = false;
    }
    for (unsigned t = work.first; t < work.end; t++) {
        uint32_t last = work.of[t] ? work.index[63 - __builtin_clzll(work.of[t])] : 0;
        if (at[t].done < last)
            follow(t, last);
        if (!at[t].points)
            continue;
        if (at[t].locked) /* points follow, and no event */
            at[t].past |= before_unlock(&at[t].node[at[t].done - 1]);
        at[t].past = pass(t, last, at[t].past); /* S2: others may need what comes after them */
    }
}
