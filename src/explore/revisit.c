/* Backward revisits, and how a way that was kept is taken; see trust.h. */
#include <string.h>

#include "explore/trust_internal.h"

static bool previous(const struct pl_node *p, const struct pl_node *e, const struct pl_node *w)
{
    return p->stamp <= e->stamp || pl_in_porf(w, p->self);
}

/*
 * Was the event added the way a first visit adds it: a write last in co, a read from the
 * last write, among what is previous? Then, and only then, this graph is the one from which
 * the revisit is made, and no other makes the same (TruSt, section 3).
 */
static bool maximal(const struct pl_graph *g, const struct pl_node *e, const struct pl_node *w)
{
    if (e->kind == PL_GRAPH_CHOICE)
        return e->value == 0;
    if (!pl_is_access(e))
        return true;
    const struct pl_location *l = &g->location[e->location - 1];
    if (e->kind == PL_GRAPH_READ) {
        if (!pl_is_init(e->rf) && !previous(pl_at(g, e->rf), e, w))
            return false;
    } else {
        for (struct pl_ref r = e->readers; !pl_is_init(r); r = pl_at(g, r)->next)
            if (previous(pl_pair_load(pl_at(g, r)), e, w))
                return false;
    }
    for (unsigned i = l->writes; i > (unsigned)(pl_place(g, e) + 1); i--)
        if (previous(pl_at(g, l->co[i - 1]), e, w))
            return false;
    return true;
}

/* Could the read take its value from the write instead, but for what would be deleted? */
static bool eligible(const struct pl_graph *g, const struct pl_node *r, const struct pl_node *w)
{
    return r->kind == PL_GRAPH_READ && !((r->flags ^ w->flags) & PL_GRAPH_F_LOCK) &&
           pl_pair_load(r) == r && maximal(g, r, w);
}

/* The stamp of the last event outside the write's past that was not added as a first visit
 * does; of those with a stamp greater than `least`, or that. */
static uint32_t last_other(const struct pl_graph *g, const struct pl_node *w, uint32_t least)
{
    for (unsigned t = 0; t < g->threads; t++) {
        const struct pl_node *node = g->thread[t].node;
        for (unsigned k = g->thread[t].count; k > w->porf[t] && node[k - 1].stamp > least; k--)
            if (!maximal(g, &node[k - 1], w)) {
                least = node[k - 1].stamp; /* stamps grow along po */
                break;
            }
    }
    return least;
}

/*
 * Every read that could take its value from the new write instead; `w` is not yet in co. What was
 * added after the read and is not in the write's past is deleted then, and must be maximal: so
 * the read must be younger than the last event that is not. most: no younger reads than this.
 */
static uint32_t find_revisits(struct pl_trust *x, const struct pl_node *w, const struct item *way,
                              uint32_t most)
{
    static struct pl_ref
        found[PL_GRAPH_EVENTS]; /* one exploration a process: no two calls at once */
    uint32_t victims = 0;
    const struct pl_graph *g = x->g;
    uint32_t least = UINT32_MAX, count = 0;
    for (unsigned t = 0; t < g->threads; t++) {
        const struct pl_node *r = pl_last_access(g, w->location, t, g->thread[t].count);
        for (; r && t != w->self.thread && !pl_in_porf(w, r->self); r = pl_before(r)) {
            if (r->stamp > most || !eligible(g, r, w))
                continue;
            least = r->stamp < least ? r->stamp : least;
            found[count++] = r->self;
        }
    }
    if (!count)
        return 0;
    least = last_other(g, w, least);
    for (uint32_t i = 0; i < count; i++)
        if (pl_at(g, found[i])->stamp >= least) {
            struct item one = way ? *way : (struct item){.kind = WAY_WHOLE};
            one.victim = found[i];
            victims++;
            if (way)
                pl_trust_push(x, one);
        }
    return victims;
}

uint32_t pl_trust_count_revisits(struct pl_trust *x, const struct pl_node *w, uint32_t most)
{
    return find_revisits(x, w, NULL, most);
}

/* Likewise, with what the twins add to the write's past. */
void pl_trust_push_revisits(struct pl_trust *x, struct pl_node *w, struct item way, uint32_t most)
{
    uint16_t past[PL_GRAPH_THREADS];
    if (!x->twins) {
        (void)find_revisits(x, w, &way, most);
        return;
    }
    memcpy(past, w->porf, sizeof past);
    pl_trust_close(x, w->porf);
    (void)find_revisits(x, w, &way, most);
    memcpy(w->porf, past, sizeof past);
}

/* May the write stand there: is it new enough, and no read-modify-write split? */
bool pl_trust_may_stand(const struct pl_graph *g, const struct pl_node *w, unsigned place,
                        int least)
{
    return (int)place > least && pl_graph_fits(g, w->location, place);
}

/* The places where a write may stand; the place of an update follows from what it reads. */
void pl_trust_places(const struct pl_graph *g, const struct pl_node *w, unsigned *low,
                     unsigned *high)
{
    *low = 0;
    *high = g->location[w->location - 1].writes;
    if (w->flags & PL_GRAPH_F_RMW)
        *low = *high = (unsigned)(pl_place(g, &w[-1]) + 1);
}

/* A new frame: the graph without what the revisit deletes, the victim reading the write; a way
 * for every place the write may stand at. */
static void open_revisit(struct pl_trust *x, struct pl_ref write, struct pl_ref victim)
{
    if (x->depth + 1 == FRAMES) {
        pl_trust_fail(x, "revisits are nested too deeply");
        return;
    }
    if (!x->frame[x->depth + 1])
        x->frame[x->depth + 1] = pl_graph_new();
    struct pl_graph *g = x->frame[x->depth + 1];
    if (!g) {
        pl_trust_fail(x, "out of memory");
        return;
    }
    uint16_t past[PL_GRAPH_THREADS];
    memcpy(past, pl_at(x->g, write)->porf, sizeof past);
    pl_trust_close(x, pl_at(x->g, write)->porf);
    pl_graph_revisit(g, x->g, pl_at(x->g, victim), pl_at(x->g, write));
    memcpy(pl_at(x->g, write)->porf, past, sizeof past);
    memcpy(pl_at(g, write)->porf, past, sizeof past);
    x->depth++;
    x->base[x->depth] = x->items;
    x->given[x->depth] = 0;
    x->g = g;
    pl_trust_share(x);
    x->counts.revisits++;
    struct pl_node *r = pl_at(g, victim), *w = pl_at(g, write);
    if (r->op != PL_OP_NONE) { /* its order follows from the value */
        uint64_t written;
        r->order = pl_graph_update(r, w->value, &written) ? r->order_ok : r->order_fail;
    }
    if (pl_is_pair_load(r)) {
        pl_pair_set_since(r, (struct pl_ref){0, 0});
        pl_pairs_push_places(x, r, w);
    }
    int least = pl_trust_lowest(x, w), other = pl_trust_lowest(x, r);
    least = other > least ? other : least;
    pl_graph_set_rf(g, r, write);
    unsigned low, high;
    pl_trust_places(g, w, &low, &high);
    for (unsigned place = low; place <= high; place++)
        if (pl_trust_may_stand(g, w, place, least)) {
            if (x->twins)
                pl_trust_check_twins(x, w, place);
            pl_trust_push(
                x,
                (struct item){.kind = WAY_PLACE, .event = write, .victim = victim, .place = place});
        }
}

/* ---- the ways not yet taken ---- */

struct pl_node *pl_trust_add_update_write(struct pl_trust *x, struct pl_node *read)
{
    uint64_t value = 0;
    (void)pl_graph_update(read, read->value, &value);
    struct pl_node *w = pl_graph_add(x->g, read->self.thread, PL_GRAPH_WRITE, read->location);
    w->order = read->order;
    w->size = read->size;
    read->flags |= PL_GRAPH_F_RMW;
    w->flags = read->flags;
    w->value = value;
    if (x->facts->pairs)
        pl_pairs_check(x, w);
    pl_graph_set_release(x->g, w);
    return w;
}

/* At those made after the write, memory is as its old place in co has it. */
static void drop_stations_after(struct pl_trust *x, struct pl_ref write)
{
    uint32_t at = x->g->events;
    while (at && !pl_same(x->g->order[at - 1], write))
        at--;
    pl_trust_drop_stations(x, at);
}

/* What the victim, the load of a pair, reads: the write, or an older one in its place. */
static void find_older(struct pl_graph *g, const struct item *way)
{
    struct pl_node *load = pl_at(g, way->victim);
    bool older = !pl_same(way->from, (struct pl_ref){0, 0});
    pl_graph_set_rf(g, load, older ? way->from : way->event);
    pl_pair_set_since(load, older ? way->event : (struct pl_ref){0, 0});
}

bool pl_trust_take(struct pl_trust *x, const struct item *way)
{
    struct pl_graph *g = x->g;
    pl_graph_cut(g, way->count);
    pl_trust_drop_stations(x, way->count);
    x->revisited = way->kind == WAY_PLACE;
    g->stamps = way->stamps;
    struct pl_node *e = pl_at(g, way->event);
    switch (way->kind) {
    case WAY_RF:
        pl_graph_set_rf(g, e, way->from);
        if (pl_is_pair_load(e))
            pl_pair_set_since(e, way->victim);
        return true;
    case WAY_CO:
        pl_graph_remove_co(g, e);
        pl_graph_insert_co(g, e, way->place);
        return true;
    case WAY_PLACE:
        drop_stations_after(x, way->event);
        pl_graph_remove_co(g, e);
        pl_graph_insert_co(g, e, way->place);
        if (pl_is_pair_load(pl_at(g, way->victim)))
            find_older(g, way);
        if (x->facts->assumes)
            pl_trust_note_again(x, e); /* that of a conflict is new */
        if (x->helping.on)
            pl_trust_note_help(x, e);
        return true;
    case WAY_CHOICE:
        e->value = way->place;
        return true;
    case WAY_WHOLE:
        return true;
    case WAY_CONFLICT:
        pl_graph_set_rf(g, e, way->from);
        if (pl_pair_is_vain(e))
            e->flags &= (uint8_t)~PL_GRAPH_F_BETWEEN;
        e = pl_trust_add_update_write(x, e);
        open_revisit(x, e->self, way->victim);
        return false;
    case WAY_REVISIT:
        open_revisit(x, way->event, way->victim);
        return false;
    }
    return false;
}
