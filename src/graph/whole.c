/*
 * By doing it: an event is taken when all before it are, each thread in its order. A write
 * waits for the writes before it in co and for their readers; a read for its source; a thread's
 * first event for its creation; a join for the end; a lock for the unlock of the one before.
 * Whatever can be taken may be taken, so there is no need to try orders. An update at which its
 * thread stands still comes last, if it can: who runs the order makes its write, too, and whatever
 * came after it would find that.
 */
#include "graph/whole.h"

static struct {
    uint32_t taken[PL_GRAPH_THREADS], made[PL_GRAPH_THREADS]; /* of each thread; of how many */
    uint32_t readers[PL_GRAPH_LOCATIONS]; /* of the newest write, not yet taken */
    uint32_t newest[PL_GRAPH_LOCATIONS];  /* writes taken, or never to be */
    struct pl_ref last[PL_GRAPH_LOCATIONS];
    struct pl_ref order[PL_GRAPH_EVENTS];
} work; /* one exploration a process: no two calls at once */

static bool is_taken(struct pl_ref e)
{
    return pl_is_init(e) || e.index < work.taken[e.thread];
}

/* The next write in co that is to be taken. */
static uint32_t next_write(const struct pl_graph *g, uint32_t location)
{
    const struct pl_location *l = &g->location[location - 1];
    uint32_t *next = &work.newest[location - 1];
    while (*next < l->writes && l->co[*next].index >= work.made[l->co[*next].thread])
        ++*next;
    return *next;
}

static uint32_t count_readers(const struct pl_graph *g, struct pl_ref first)
{
    uint32_t count = 0;
    for (struct pl_ref r = first; !pl_is_init(r); r = pl_at(g, r)->next)
        count += r.index < work.made[r.thread];
    return count;
}

/* The lock before this one in co has been unlocked. */
static bool is_unlocked(const struct pl_graph *g, const struct pl_node *lock)
{
    struct pl_ref before = lock[-1].rf;
    if (pl_is_init(before))
        return true;
    const struct pl_graph_thread *t = &g->thread[before.thread];
    for (unsigned k = before.index + 1u; k < work.made[before.thread]; k++)
        if (t->node[k].kind == PL_GRAPH_UNLOCK && t->node[k].location == lock->location)
            return is_taken(t->node[k].self);
    return true; /* never: then nothing comes after this lock */
}

/* Is it the next write of its location, and, if a lock, free? */
static bool can_follow(const struct pl_graph *g, const struct pl_node *w)
{
    const struct pl_location *l = &g->location[w->location - 1];
    uint32_t next = next_write(g, w->location);
    if (w->flags & PL_GRAPH_F_LOCK && !is_unlocked(g, w))
        return false;
    return next < l->writes && pl_same(l->co[next], w->self);
}

static bool can_take(const struct pl_graph *g, const struct pl_node *n)
{
    switch ((enum pl_graph_kind)n->kind) {
    case PL_GRAPH_READ: /* of an update: only if its write can follow at once */
        if (n->flags & PL_GRAPH_F_RMW && n->self.index + 1u < work.made[n->self.thread] &&
            (work.readers[n->location - 1] > 1 || !can_follow(g, n + 1)))
            return false;
        return pl_same(n->rf, work.last[n->location - 1]);
    case PL_GRAPH_WRITE:
        return can_follow(g, n) && work.readers[n->location - 1] == 0;
    case PL_GRAPH_BEGIN:
        if ((int64_t)n->value < 0)
            return true;
        for (unsigned k = 0; k < g->thread[n->value].count; k++) {
            const struct pl_node *c = &g->thread[n->value].node[k];
            if (c->kind == PL_GRAPH_CREATE && c->value == n->self.thread)
                return is_taken(c->self);
        }
        return true;
    case PL_GRAPH_JOIN:
        return work.taken[n->value] == work.made[n->value];
    case PL_GRAPH_FENCE:
    case PL_GRAPH_CREATE:
    case PL_GRAPH_END:
    case PL_GRAPH_UNLOCK:
    case PL_GRAPH_CHOICE:
        return true;
    }
    return true;
}

static void take(const struct pl_graph *g, const struct pl_node *n)
{
    work.taken[n->self.thread]++;
    if (n->kind == PL_GRAPH_READ)
        work.readers[n->location - 1]--;
    if (n->kind != PL_GRAPH_WRITE)
        return;
    work.newest[n->location - 1]++;
    work.last[n->location - 1] = n->self;
    work.readers[n->location - 1] = count_readers(g, n->readers);
}

/* Takes one event of the thread, if it can be taken; halves: also one that comes last. */
static bool take_next(const struct pl_graph *g, unsigned t, bool halves, struct pl_ref *out,
                      uint32_t *count)
{
    const struct pl_node *n = &g->thread[t].node[work.taken[t]];
    if (work.taken[t] == work.made[t] || (!halves && pl_graph_is_half(n)) || !can_take(g, n))
        return false;
    out[(*count)++] = n->self;
    take(g, n);
    return true;
}

uint32_t pl_graph_sc_order(const struct pl_graph *g, const uint32_t *made, unsigned late,
                           struct pl_ref *out)
{
    uint32_t count = 0;
    for (unsigned t = 0; t < g->threads; t++) {
        work.taken[t] = 0;
        work.made[t] = made ? made[t] : g->thread[t].count;
    }
    for (unsigned i = 0; i < g->locations; i++) {
        work.newest[i] = 0;
        work.last[i] = PL_INIT;
        work.readers[i] = count_readers(g, g->location[i].readers);
    }
    for (bool more = true; more;) {
        more = false;
        for (unsigned t = 0; t < g->threads; t++)
            while (t != late && take_next(g, t, false, out, &count))
                more = true;
        if (!more && late < g->threads)
            more = take_next(g, late, false, out, &count);
        for (unsigned t = 0; t < g->threads && !more; t++)
            more = take_next(g, t, true, out, &count);
    }
    return count;
}

bool pl_graph_is_sc(const struct pl_graph *g)
{
    return pl_graph_sc_order(g, NULL, PL_GRAPH_THREADS, work.order) == g->events;
}
