/* Events without a choice of what to read: fences, threads, locks; and choices. */
#include "explore/trust_internal.h"

/* An event without a location. */
static struct pl_node *plain_event(struct pl_trust *x, unsigned thread, enum pl_graph_kind kind,
                                   uint64_t value)
{
    struct pl_node *n = pl_trust_known(x, thread, kind, 0);
    if (!n && !x->failure) {
        n = pl_trust_added(x, pl_graph_add(x->g, thread, kind, 0));
        n->value = value;
        if (x->facts->pairs)
            pl_pairs_made(x, n, true);
    }
    return n;
}

void pl_trust_fence(struct pl_trust *x, unsigned thread, unsigned order)
{
    bool fresh = pl_trust_is_fresh(x, thread);
    struct pl_node *n = plain_event(x, thread, PL_GRAPH_FENCE, 0);
    if (!n || !fresh)
        return;
    n->order = (uint8_t)order;
    if (order == PL_SC)
        pl_trust_note_sc(x);
    pl_graph_set_rf(x->g, n, PL_INIT);
}

void pl_trust_start(struct pl_trust *x, unsigned thread, int creator)
{
    bool fresh = pl_trust_is_fresh(x, thread);
    struct pl_node *n = plain_event(x, thread, PL_GRAPH_BEGIN, (uint64_t)creator);
    if (!n || !fresh || creator < 0)
        return;
    pl_graph_add_create(x->g, n);
}

void pl_trust_create(struct pl_trust *x, unsigned thread, unsigned created)
{
    (void)plain_event(x, thread, PL_GRAPH_CREATE, created);
}

void pl_trust_finish(struct pl_trust *x, unsigned thread)
{
    (void)plain_event(x, thread, PL_GRAPH_END, 0);
}

void pl_trust_join(struct pl_trust *x, unsigned thread, unsigned joined)
{
    bool fresh = pl_trust_is_fresh(x, thread);
    struct pl_node *n = plain_event(x, thread, PL_GRAPH_JOIN, joined);
    if (n && fresh && x->g->thread[joined].count)
        pl_graph_add_past(n, &x->g->thread[joined].node[x->g->thread[joined].count - 1]);
}

void pl_trust_lock(struct pl_trust *x, unsigned thread, uint64_t key, bool quiet)
{
    struct pl_trust_access a = {.thread = thread, .key = key, .op = PL_OP_LOCK, .operand = 1};
    bool ok;
    a.flags = quiet ? PL_GRAPH_F_LOCK | PL_GRAPH_F_QUIET : PL_GRAPH_F_LOCK;
    (void)pl_trust_update(x, &a, &ok);
}

bool pl_trust_locked(struct pl_trust *x, unsigned thread)
{
    unsigned made = x->made[thread];
    const struct pl_node *n = made ? &x->g->thread[thread].node[made - 1] : NULL;
    if (!n || n->kind != PL_GRAPH_WRITE || !(n->flags & PL_GRAPH_F_LOCK))
        return true;
    const struct pl_node *unlock = pl_graph_awaited(x->g, n);
    return unlock == n || (unlock && unlock->self.index < x->made[unlock->self.thread]);
}

void pl_trust_unlock(struct pl_trust *x, unsigned thread, uint64_t key)
{
    struct pl_node *n = pl_trust_known(x, thread, PL_GRAPH_UNLOCK, key);
    if (n || x->failure)
        return;
    uint32_t location = pl_trust_location(x, key, 0);
    n = pl_trust_added(x, pl_graph_add(x->g, thread, PL_GRAPH_UNLOCK, location));
    for (unsigned k = n->self.index; k > 0; k--) { /* the lock it ends */
        const struct pl_node *lock = &x->g->thread[thread].node[k - 1];
        if (lock->kind == PL_GRAPH_WRITE && lock->location == location) {
            n->other = lock->self.index;
            break;
        }
    }
    if (x->facts->pairs)
        pl_pairs_made(x, n, true);
}

unsigned pl_trust_choose(struct pl_trust *x, unsigned thread, unsigned n)
{
    bool fresh = pl_trust_is_fresh(x, thread);
    struct pl_node *e = plain_event(x, thread, PL_GRAPH_CHOICE, 0);
    uint32_t items = x->items;
    if (!e)
        return 0;
    struct step step;
    if (fresh && pl_trust_scripted(x, e->self, &step))
        e->value = step.a < n ? step.a : 0;
    else if (fresh && x->sample)
        e->value = pl_sample_below(x->sample, n);
    else if (fresh && x->turning)
        e->value = pl_turns_choose(x, n);
    else
        for (unsigned i = 1; fresh && i < n; i++)
            pl_trust_push(x, (struct item){.kind = WAY_CHOICE, .event = e->self, .place = i});
    pl_trust_end_ways(x, items);
    return (unsigned)e->value;
}
