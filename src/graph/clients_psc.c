/*
 * What seq_cst accesses add to a graph's clients: C3 of clients.h, where every access to a location
 * is seq_cst or none, and there are no seq_cst fences. Then psc is among seq_cst accesses
 *
 *     sb ∪ sb|≠loc;hb;sb|≠loc ∪ hb|loc ∪ co ∪ fr
 *
 * and has no cycle, so that one turn along it finds for each seq_cst event the calls whose load
 * leads to it: those it is reached from at once, and those of the events before it in psc.
 *
 * P1  Of the edges into a write at its location, co from the write before it and fr from that one's
 *     readers are enough: by those every older access leads here, and what happens before a write
 * is older. P2  Of those into a read, the one from what it reads: it happens before it, as both are
 * seq_cst. Older ones lead there. Another read of the same write that happens before this one does
 * so by other locations (clients.h), which is an edge around. P3  What leads to an event around, by
 * way of y, leads to the next seq_cst event of its thread, too. By a later y it is the same unless
 * y's thread has gained happens-before in between.
 */
#include "graph/clients_internal.h"

#define work pl_clients_work

static bool is_sc(const struct pl_node *n)
{
    return n->order == PL_SC && (pl_is_access(n) || n->kind == PL_GRAPH_FENCE);
}

static bool same_location(const struct pl_node *a, const struct pl_node *b)
{
    return pl_is_access(a) && pl_is_access(b) && a->location == b->location;
}

/* 1 + the index of the last seq_cst event among the first `count` of a thread. */
static unsigned last_sc(unsigned thread, unsigned count)
{
    if (!count)
        return 0;
    const struct pl_node *n = &work.g->thread[thread].node[count - 1];
    return is_sc(n) ? count : n->sc;
}

static bool has_fence(unsigned thread)
{
    const struct pl_graph_thread *t = &work.g->thread[thread];
    const struct pl_node *n = t->count ? &t->node[t->count - 1] : NULL;
    return n && (n->sc_fence || (n->kind == PL_GRAPH_FENCE && n->order == PL_SC));
}

bool pl_clients_has_sc(bool *exact)
{
    static uint8_t kinds[PL_GRAPH_LOCATIONS]; /* 1: seq_cst accesses there, 2: others */
    const struct pl_graph *g = work.g;
    bool any = false;
    for (unsigned t = 0; t < g->threads; t++) {
        any |= last_sc(t, g->thread[t].count) != 0;
        *exact &= !has_fence(t);
    }
    if (!any || !*exact)
        return any;
    for (uint32_t i = 0; i < g->locations; i++)
        kinds[i] = 0;
    for (unsigned t = 0; t < g->threads; t++)
        for (unsigned k = 0; k < g->thread[t].count; k++) {
            const struct pl_node *n = &g->thread[t].node[k];
            if (pl_is_access(n))
                kinds[n->location - 1] |= is_sc(n) ? 1 : 2;
        }
    for (uint32_t i = 0; i < g->locations; i++)
        *exact &= kinds[i] != 3;
    return true;
}

/* Of seq_cst events: the calls whose load leads to each. */
static uint64_t led[PL_GRAPH_THREADS][PL_GRAPH_LENGTH];
static uint32_t done[PL_GRAPH_THREADS]; /* events of each thread of which that is known */

/* What happens before the event; of a lock also what the unlock has seen. */
static uint64_t calls_before(const struct pl_node *n)
{
    const struct pl_node *unlock = pl_clients_unlock(n);
    uint64_t calls = pl_clients_made(n->hb);
    if (unlock && !(n->flags & PL_GRAPH_F_QUIET))
        calls |= pl_clients_made(unlock->hb);
    return calls & PL_CLIENTS_CALLS;
}

/* Of each event: how often its thread has gained happens-before until then; a lock's gain, which is
 * in the views of what follows, counts for itself. */
static uint16_t gains[PL_GRAPH_THREADS][PL_GRAPH_LENGTH];

/*
 * What the loads before calls reach at once. In the call's own thread every seq_cst event after it.
 * In another by sb≠loc;hb;sb≠loc: those behind the first event that the call happens before, if
 * between the two, the second included, is one at another location than the first. So what happens
 * before an event reaches those after it unless all of them are at its location; and what has not
 * reached the next event, has not because that is at the same location.
 */
static void find_reached(unsigned t)
{
    const struct pl_graph_thread *thread = &work.g->thread[t];
    uint64_t reached = 0, calls = 0, own = work.of[t];
    uint16_t gained = 0;
    for (unsigned k = 0; k < thread->count; k++) {
        const struct pl_node *n = &thread->node[k];
        if (k && !same_location(n - 1, n))
            reached |= calls & ~own;
        if (!k || n->gained || (n->flags & PL_GRAPH_F_LOCK)) {
            calls = calls_before(n);
            gained++;
        }
        gains[t][k] = gained;
        if (is_sc(n))
            led[t][k] = reached | (own ? work.made[k + 1][t] & own & PL_CLIENTS_CALLS : 0);
    }
}

/* The first `count` events of a thread lead to something; false: it is not known yet to what. */
static bool add(uint64_t *to, unsigned thread, unsigned count)
{
    if (!count)
        return true;
    if (count > done[thread])
        return false;
    *to |= led[thread][count - 1];
    return true;
}

/* sb|≠loc;hb to y: the last seq_cst event of each other thread that has an event at another
 * location after it in y's past. */
static bool add_past(uint64_t *to, const struct pl_node *y)
{
    const struct pl_graph *g = work.g;
    for (unsigned t = 0; t < g->threads; t++) {
        unsigned end = t == y->self.thread ? 0 : y->hb[t];
        for (unsigned k = end ? last_sc(t, end - 1) : 0; k; k = last_sc(t, k - 1)) {
            const struct pl_node *a = &g->thread[t].node[k - 1], *x = a + 1;
            while (x->self.index + 1u < end && same_location(a, x))
                x++;
            if (same_location(a, x))
                continue;
            if (!add(to, t, k))
                return false;
            break;
        }
    }
    return true;
}

/* sb|≠loc;hb;sb|≠loc by way of y. */
static bool add_through(uint64_t *to, const struct pl_node *y)
{
    const struct pl_node *unlock = y->flags & PL_GRAPH_F_QUIET ? NULL : pl_clients_unlock(y);
    if (!add_past(to, y))
        return false;
    return !unlock ||
           (add(to, unlock->self.thread, last_sc(unlock->self.thread, unlock->self.index)) &&
            add_past(to, unlock));
}

/* The last event before b at another location; NULL: there is none. */
static const struct pl_node *around(const struct pl_node *b)
{
    const struct pl_node *y = b - 1, *first = work.g->thread[b->self.thread].node;
    while (y >= first && same_location(b, y))
        y--;
    return y < first ? NULL : y;
}

/* `before`: 1 + the index of the seq_cst event before b in its thread. */
static bool add_around(uint64_t *to, const struct pl_node *b, unsigned before)
{
    const struct pl_node *y = around(b),
                         *known = before ? around(b - (b->self.index + 1 - before)) : NULL;
    if (!y || (known && gains[b->self.thread][y->self.index] ==
                            gains[b->self.thread][known->self.index])) /* P3 */
        return true;
    return add_through(to, y);
}

/* co and fr into a write (P1), from what it reads into a read (P2). */
static bool add_location(uint64_t *to, const struct pl_node *b)
{
    const struct pl_graph *g = work.g;
    const struct pl_location *l = &g->location[b->location - 1];
    if (b->kind != PL_GRAPH_WRITE)
        return pl_is_init(b->rf) || add(to, b->rf.thread, b->rf.index + 1u);
    struct pl_ref r = l->readers;
    if (b->place > 0) {
        struct pl_ref w = l->co[b->place - 1];
        if (!add(to, w.thread, w.index + 1u))
            return false;
        r = pl_at(g, w)->readers;
    }
    for (; !pl_is_init(r); r = pl_at(g, r)->next)
        if (r.thread != b->self.thread && !add(to, r.thread, r.index + 1u))
            return false;
    return true;
}

static bool add_event(const struct pl_node *b)
{
    unsigned t = b->self.thread, k = b->self.index;
    unsigned before = last_sc(t, k);
    uint64_t mine = led[t][k];
    if (!add(&mine, t, before) || !add_around(&mine, b, before) || !add_location(&mine, b))
        return false;
    led[t][k] = mine;
    return true;
}

static void find_led(void)
{
    const struct pl_graph *g = work.g;
    for (unsigned t = 0; t < g->threads; t++) {
        find_reached(t);
        done[t] = 0;
    }
    for (bool more = true; more;) {
        more = false;
        for (unsigned t = 0; t < g->threads; t++)
            for (; done[t] < g->thread[t].count; done[t]++, more = true) {
                const struct pl_node *n = &g->thread[t].node[done[t]];
                if (is_sc(n) && !add_event(n))
                    break;
            }
    }
}

void pl_clients_find_global(const uint64_t *order, uint64_t *global)
{
    find_led();
    for (unsigned i = 0; i < work.calls; i++) {
        const struct pl_graph_call *c = &work.call[i];
        uint64_t led_to = 0;
        if (!c->returned)
            continue;
        if (c->ret) {
            (void)add(&led_to, c->thread, last_sc(c->thread, c->ret));
            (void)add_through(&led_to, &work.g->thread[c->thread].node[c->ret - 1]);
        }
        global[2 * i + 1] = (order[2 * i + 1] & PL_CLIENTS_CALLS) | led_to;
    }
}
