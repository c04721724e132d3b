/*
 * Pairs: a load l of a location, and a compare-exchange c of the same one that expects what l has
 * found; between them the thread only reads, and stores what counts for nobody else; and if c fails
 * the round is void (src/instrument/pairs.c finds them).
 *
 *     l  old = load(&top)          finds x
 *     b  next = load(&old->next)   between
 *     c  compare_exchange(&top, &old, next)
 *
 * No complete execution has a c that fails. So l and c are one read-modify-write, which is at l: it
 * reads a write v, which is what c reads, and l itself finds v or an older write x of the same
 * value (then the value has come back in between). Hence
 *
 * P1  l has a way for each such (v, x), also where a new write v revisits it; c has none of its
 *     own, reads v, and is revisited by nobody. Where x is not v, l keeps v (`since`).
 * P2  An l that has a `since` is not maximal for any write: its v is newer, and either previous
 *     to l or deleted with it, and that it cannot be, for c counts as the reader of v that l
 *     would be.
 * P3  If another has taken v, c only revisits, as any update does (I3 of trust.h), and the run is
 *     over.
 * P4  A thread between l and c moves before all others.
 * P5  An l whose thread does not come to c is a load like others. If it has a `since`, the graph is
 *     that of another way, and the run is over.
 *
 * So a thread whose exchange would fail does not stand in graphs in which the others go on; those
 * are the greater part of what is given up otherwise (docs/PERFORMANCE.md).
 *
 * It is right if what is between the two, b, has to do with nothing that others do meanwhile. That
 * is assumed until the contrary is seen; between.c says what it is. Where it does not hold, or a
 * pair is not as it was announced, the search begins again without pairs.
 */
#include "explore/trust_internal.h"

static uint64_t bit_of(unsigned thread)
{
    return (uint64_t)1 << (thread & 63);
}

bool pl_trust_may_pair(const struct pl_trust *x)
{
    return !(x->no_pairs || x->twins || x->bounded || x->sample || x->probing || x->script ||
             x->out.looks);
}

void pl_trust_pair_not(struct pl_trust *x)
{
    x->no_pairs = true;
    pl_fact_add(&x->facts->pairs_not, 1);
    x->mistaken = x->mistaken || pl_fact(&x->facts->paired);
}

/* What is seen is noted from when there is a pair, so from a new start. */
void pl_pairs_begin(struct pl_trust *x)
{
    x->mistaken = x->mistaken || !x->facts->pairs;
    pl_fact_add(&x->facts->pairs, 1);
    pl_fact_add(&x->facts->paired, 1);
    x->mistaken = x->mistaken || pl_fact(&x->facts->pairs_not);
}

/* ---- the two halves ---- */

struct pl_ref pl_pair_since(const struct pl_node *l)
{
    return (struct pl_ref){(uint16_t)(l->operand >> 16), (uint16_t)l->operand};
}

void pl_pair_set_since(struct pl_node *l, struct pl_ref v)
{
    l->operand = (uint64_t)v.thread << 16 | v.index;
}

const struct pl_node *pl_pair_load(const struct pl_node *c)
{
    if (c->op != PL_OP_CAS || !(c->flags & PL_GRAPH_F_PAIR))
        return c;
    do
        c--;
    while (c->flags & PL_GRAPH_F_BETWEEN);
    return c;
}

static bool may_be_between(const struct pl_node *n)
{
    return (n->kind == PL_GRAPH_READ && n->op == PL_OP_NONE && n->await == PL_AWAIT_NONE) ||
           n->kind == PL_GRAPH_FENCE || (n->kind == PL_GRAPH_WRITE && (n->flags & PL_GRAPH_F_DEAD));
}

/* The load that c belongs to, which is the last of its thread; NULL: there is none. */
static struct pl_node *find_load(struct pl_node *c)
{
    for (struct pl_node *n = c; n->self.index;) {
        n--;
        if (pl_is_pair_load(n) && n->location == c->location)
            return n;
        if (!may_be_between(n))
            return NULL;
    }
    return NULL;
}

/* ---- the run ---- */

void pl_pairs_made(struct pl_trust *x, const struct pl_node *n, bool fresh)
{
    uint64_t self = bit_of(n->self.thread);
    if (pl_is_pair_load(n)) {
        x->within |= self;
        x->open = pl_pair_has_since(n) ? x->open | self : x->open & ~self;
        return;
    }
    if (!((x->within | x->open) & self) || may_be_between(n))
        return;
    if (!(n->op == PL_OP_CAS && (n->flags & PL_GRAPH_F_PAIR)))
        x->over = x->over || (fresh && (x->open & self)); /* P5 */
    x->within &= ~self;
    x->open &= ~self;
}

void pl_trust_pair_ends(struct pl_trust *x, unsigned thread)
{
    x->over = x->over || ((x->open & bit_of(thread)) && pl_trust_is_fresh(x, thread));
    x->within &= ~bit_of(thread);
    x->open &= ~bit_of(thread);
}

bool pl_trust_is_over(const struct pl_trust *x)
{
    return x->over;
}

/* ---- P1 ---- */

static uint64_t value_at(const struct pl_graph *g, const struct pl_location *l, int place)
{
    return place < 0 ? l->initial : pl_at(g, l->co[place])->value;
}

/* Who could be revisited by c can be revisited now: what is between adds nothing to the past (B1).
 */
bool pl_pairs_is_idle(struct pl_trust *x, struct pl_node *load, const struct pl_trust_pair *pair,
                      int found, int compared)
{
    struct pl_graph *g = x->g;
    const struct pl_location *l = &g->location[load->location - 1];
    const uint32_t count = g->events, stamps = g->stamps;
    if (!pair->sure || compared + 1 >= (int)l->writes ||
        pl_graph_fits(g, load->location, (unsigned)(compared + 1)) ||
        (pair->has_unless && value_at(g, l, found) == pair->unless))
        return false;
    const struct pl_node *taker = pl_at(g, l->co[compared + 1]);
    pl_graph_set_rf(g, load, found < 0 ? PL_INIT : l->co[found]);
    if (pl_in_porf(load, l->co[found + 1])) /* else the round is made where the value is newest */
        return false;
    struct pl_node *w = pl_graph_add(g, load->self.thread, PL_GRAPH_WRITE, load->location);
    if (compared >= 0)
        pl_view_join(w->porf, pl_at(g, l->co[compared])->porf);
    bool idle = !pl_trust_count_revisits(x, w, taker[-1].stamp);
    pl_graph_cut(g, count);
    g->stamps = stamps;
    return idle;
}

void pl_pairs_push_older(struct pl_trust *x, struct pl_node *load, const struct pl_trust_pair *pair,
                         int place)
{
    const struct pl_graph *g = x->g;
    const struct pl_location *l = &g->location[load->location - 1];
    struct pl_ref from = place < 0 ? PL_INIT : l->co[place];
    for (int v = place + 1; v < (int)l->writes; v++)
        if (value_at(g, l, v) == value_at(g, l, place) &&
            !(pair && pl_pairs_is_idle(x, load, pair, place, v)))
            pl_trust_push(
                x, (struct item){
                       .kind = WAY_RF, .event = load->self, .from = from, .victim = l->co[v]});
}

void pl_pairs_push_places(struct pl_trust *x, struct pl_node *load, struct pl_node *w)
{
    struct pl_graph *g = x->g;
    const struct pl_location *l = &g->location[load->location - 1];
    unsigned low, high;
    pl_trust_places(g, w, &low, &high);
    for (int place = pl_trust_lowest(x, load); place < (int)l->writes; place++) {
        if (value_at(g, l, place) != w->value)
            continue;
        struct pl_ref from = place < 0 ? PL_INIT : l->co[place];
        pl_graph_set_rf(g, load, from);
        int least = pl_trust_lowest(x, w);
        least = place > least ? place : least;
        for (unsigned at = low; at <= high; at++)
            if (pl_trust_may_stand(g, w, at, least))
                pl_trust_push(x, (struct item){.kind = WAY_PLACE,
                                               .event = w->self,
                                               .victim = load->self,
                                               .place = at,
                                               .from = from});
    }
}

/* Has another thread written there, so that c could have failed? Or had l not been revisited, which
 * comes to the same? */
static bool could_fail(const struct pl_graph *g, const struct pl_node *l)
{
    if (!pl_is_init(l->rf) && pl_at(g, l->rf)->stamp > l->stamp)
        return true;
    for (unsigned t = 0; t < g->threads; t++) {
        const struct pl_node *o = pl_last_access(g, l->location, t, g->thread[t].count);
        for (; t != l->self.thread && o && o->self.index >= l->porf[t]; o = pl_before(o))
            if (o->kind == PL_GRAPH_WRITE)
                return true;
    }
    return false;
}

bool pl_pairs_choose(struct pl_trust *x, struct pl_node *c, unsigned since)
{
    struct pl_graph *g = x->g;
    struct pl_node *l = pl_trust_may_pair(x) ? find_load(c) : NULL;
    uint64_t written;
    if (!l || !pl_graph_update(c, l->value, &written)) {
        pl_trust_pair_not(x);
        return false;
    }
    for (struct pl_node *n = l + 1; n < c; n++)
        pl_pairs_note_between(x, n);
    if (could_fail(g, l)) /* what such a round stores may be read in passing (passing.c) */
        pl_trust_leave_out(x, (struct pl_round){c->self.thread, (uint16_t)since, c->self.index});
    struct pl_ref v = pl_pair_has_since(l) ? pl_pair_since(l) : l->rf;
    const int place = pl_is_init(v) ? -1 : pl_at(g, v)->place;
    c->order = c->order_ok;
    if (c->order == PL_SC)
        pl_trust_note_sc(x);
    const int lowest = pl_trust_lowest(x, c);
    if (x->looped) {
        pl_trust_read_in_passing(x, c, lowest);
        pl_trust_write_in_passing(x, c, lowest);
    }
    bool possible = place >= lowest, fits;
    fits = pl_graph_fits(g, c->location, (unsigned)(place + 1));
    pl_graph_set_rf(g, c, v);
    if (possible && fits)
        return true;
    uint32_t items = x->items;
    if (possible)
        pl_trust_push_conflicts(x, c);
    c->flags |= PL_GRAPH_F_BETWEEN; /* it is over there, too, when the run is made again */
    x->over = true;
    x->fruitful = x->items > items;
    return true;
}

bool pl_pair_is_vain(const struct pl_node *c)
{
    return c->op == PL_OP_CAS && (c->flags & PL_GRAPH_F_PAIR) && (c->flags & PL_GRAPH_F_BETWEEN);
}
