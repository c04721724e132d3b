/*
 * What stands between the halves of pairs (pairs.c), and what others may do beside it.
 *
 * A compare-exchange c that fails is never made, with what comes before it in its round: b, which
 * loads, and stores what counts for nobody else. Nothing is lost by that if b has to do with
 * nothing that others do meanwhile: then it is no other b, and shows nothing else, than in the
 * rounds that are made; what it may read is in its past, and nobody revisits it. So it is assumed
 * of the program that
 *
 * B1  accesses to the location of such a b by another thread, of which one writes, are in the past
 *     of b, and without b's own reads, or have c in theirs. In an execution that is seen at once.
 * As a b that would show it may be in no execution that is explored, it is asked besides of all
 * that was ever seen of the location:
 *     - every thread that writes there has written there before any b loads it,
 *     - and, once others may know of the place, writes there no more: it has written nothing since
 *       it first came there;
 *     - a thread that stores there in a b has done so before any other thread comes there, and
 *       does so late in the sense above only if no other comes there at all;
 * B2  no memory is given back while another thread goes on, nor written plainly where b could race
 *     with that (the runtime says so);
 * B3  writes to the location of l and c are updates, but for those that happen before l, or after
 *     it.
 *
 * The last is why it is enough that l is revisited, and not c. Let c read v, and l an older x. If
 * the load is maximal for v but for reading x, it is revisited by v from where it reads the newest.
 * Else what it reads is younger than itself, x has revisited it, and is not in v's past; then c
 * would have to be revisited by v while l keeps x, from where c reads the newest, f, which has
 * another value. But by B3 what l may read is a chain of updates, so x is in the past of f; and f
 * is older than l, or in the past of v: so is x, which it is not.
 *
 * All of it is assumed until the contrary is seen. Why that is enough: assumed.c. That a program in
 * which threads stop before they do otherwise is explored wholly takes no more than what is asked
 * here; so if one of them could, it would have been seen.
 */
#include "explore/trust_internal.h"

static uint32_t bit_of(const struct pl_node *n)
{
    return (uint32_t)1 << n->self.thread;
}

/* What was seen of a location, in any graph. Threads are bits. */
static struct pl_fact_place *place_of(struct pl_trust *x, const struct pl_node *n)
{
    const uint64_t name = pl_fact_name(x->g->location[n->location - 1].key, 0);
    for (uint32_t i = 0; i < PL_FACTS_PLACES; i++) {
        struct pl_fact_place *p = &x->facts->place[((name >> 40) + i) % PL_FACTS_PLACES];
        if (pl_fact_claim(&p->name, name))
            return p;
    }
    return NULL;
}

/* ---- in this graph ---- */

static bool in_hb(const struct pl_node *of, const struct pl_node *e)
{
    return e->self.index < of->hb[e->self.thread];
}

/* May the other access, of another thread and not in the past of this one, not be there? */
static bool spoils(const struct pl_node *n, const struct pl_node *other)
{
    return ((n->flags | other->flags) & PL_GRAPH_F_BETWEEN) &&
           (n->kind == PL_GRAPH_WRITE || other->kind == PL_GRAPH_WRITE); /* B1 */
}

static bool is_store(const struct pl_node *n)
{
    return n->kind == PL_GRAPH_WRITE && !(n->flags & PL_GRAPH_F_RMW);
}

/* B3; the new one may be after the other, not before it. */
static bool passes(const struct pl_node *n, const struct pl_node *other)
{
    return ((is_store(n) && pl_is_pair_load(other)) || (pl_is_pair_load(n) && is_store(other))) &&
           !in_hb(n, other);
}

static void look_at_others(struct pl_trust *x, const struct pl_node *n)
{
    const struct pl_graph *g = x->g;
    for (unsigned t = 0; t < g->threads; t++) {
        const struct pl_node *o = pl_last_access(g, n->location, t, g->thread[t].count);
        for (; t != n->self.thread && o; o = pl_before(o))
            if (passes(n, o) || (o->self.index >= n->porf[t] && spoils(n, o)))
                pl_trust_pair_not(x);
    }
}

/* ---- in any ---- */

/* Which threads have written there before? */
static uint32_t writers_before(const struct pl_graph *g, const struct pl_node *n)
{
    uint32_t writers = bit_of(n);
    for (unsigned t = 0; t < g->threads; t++) {
        const struct pl_node *o = pl_last_access(g, n->location, t, n->porf[t]);
        while (t != n->self.thread && o && o->kind != PL_GRAPH_WRITE)
            o = pl_before(o);
        writers |= o ? (uint32_t)1 << t : 0;
    }
    return writers;
}

/* Has its thread written since it first came there, so that others may know of the place? */
static bool is_late(const struct pl_node *w)
{
    const struct pl_node *first = w;
    while (pl_before(first))
        first = pl_before(first);
    for (const struct pl_node *n = first; n < w; n++)
        if (n->kind == PL_GRAPH_WRITE || n->kind == PL_GRAPH_UNLOCK || n->kind == PL_GRAPH_CREATE)
            return true;
    return false;
}

/* Is there one of these threads that is another than one of those? */
static bool are_others(uint32_t threads, uint32_t of)
{
    return threads && of && (threads != of || (threads & (threads - 1)));
}

static void note(struct pl_trust *x, const struct pl_node *n)
{
    struct pl_fact_place *p = place_of(x, n);
    if (!p) { /* there is no room for what is seen */
        pl_trust_pair_not(x);
        return;
    }
    const uint32_t before = writers_before(x->g, n);
    const bool between = n->flags & PL_GRAPH_F_BETWEEN;
    pl_fact_add(&p->all, bit_of(n));
    pl_fact_add(&p->not_before_all, ~before);
    if (n->kind == PL_GRAPH_WRITE) {
        pl_fact_add(&p->writers, bit_of(n));
        pl_fact_add(&p->late, is_late(n) ? bit_of(n) : 0);
        pl_fact_add(&p->stores, between ? bit_of(n) : 0);
    } else if (between) {
        pl_fact_add(&p->loads, bit_of(n));
        pl_fact_add(&p->not_before_loads, ~before);
    }
    const uint32_t loads = pl_fact(&p->loads), late = pl_fact(&p->late),
                   stores = pl_fact(&p->stores);
    if ((pl_fact(&p->writers) & pl_fact(&p->not_before_loads)) || are_others(loads, late) ||
        are_others(pl_fact(&p->all), stores & late) || (stores & pl_fact(&p->not_before_all)))
        pl_trust_pair_not(x);
}

/* What main does before there are other threads is before all they do. */
void pl_pairs_check(struct pl_trust *x, const struct pl_node *n)
{
    if (!x->facts->pairs || x->no_pairs || x->g->threads <= 1)
        return;
    look_at_others(x, n);
    note(x, n);
}

/* Does it read what was not in its past before? */
static bool learns(const struct pl_node *n)
{
    return n->kind == PL_GRAPH_READ && !pl_is_init(n->rf) && !pl_in_porf(n - 1, n->rf);
}

void pl_pairs_note_between(struct pl_trust *x, struct pl_node *n)
{
    n->flags |= PL_GRAPH_F_BETWEEN;
    if (learns(n))
        pl_trust_pair_not(x);
    if (!pl_is_access(n) || x->no_pairs || x->g->threads <= 1)
        return;
    look_at_others(x, n);
    note(x, n);
}
