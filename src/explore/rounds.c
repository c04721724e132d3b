/* Which rounds are void; rounds.h. */
#include "explore/rounds.h"

#include <stddef.h>

static const struct pl_node *node_of(const struct pl_graph *g, struct pl_round r, unsigned index)
{
    return &g->thread[r.thread].node[index];
}

static bool in_round(struct pl_round r, struct pl_ref e)
{
    return e.thread == r.thread && e.index >= r.from && e.index < r.to;
}

/* An update that writes back what it read. */
static bool writes_back(const struct pl_node *w)
{
    return (w->flags & PL_GRAPH_F_RMW) && !(w->flags & PL_GRAPH_F_LOCK) && w[-1].value == w->value;
}

/* The next write of the round to the same location, or NULL. */
static const struct pl_node *next_write(const struct pl_graph *g, struct pl_round r,
                                        const struct pl_node *w)
{
    for (unsigned k = w->self.index + 1u; k < r.to; k++) {
        const struct pl_node *n = node_of(g, r, k);
        if (n->kind == PL_GRAPH_WRITE && n->location == w->location)
            return n;
    }
    return NULL;
}

/* An event of another thread at the location of the write, or NULL. */
static const struct pl_node *touched_by(const struct pl_graph *g, const struct pl_node *w)
{
    for (unsigned t = 0; t < g->threads; t++)
        for (unsigned k = 0; t != w->self.thread && k < g->thread[t].count; k++)
            if (g->thread[t].node[k].location == w->location)
                return &g->thread[t].node[k];
    return NULL;
}

static bool is_first_write(const struct pl_graph *g, struct pl_round r, const struct pl_node *w)
{
    for (unsigned k = r.from; k < w->self.index; k++)
        if (node_of(g, r, k)->kind == PL_GRAPH_WRITE && node_of(g, r, k)->location == w->location)
            return false;
    return true;
}

/* Would the read, of another thread, look the same if what it found were less by so much? */
static bool cannot_tell(const struct pl_node *read, uint64_t less)
{
    uint64_t bits = read->size < 8 ? ((uint64_t)1 << 8 * read->size) - 1 : ~(uint64_t)0;
    return !((read->value ^ (read->value - less)) & bits & ~read->other);
}

/* Who reads it and can tell that the write has so much more than without the round? Not whose own
 * update comes next: that is in the past of the rest of the round; nor who stands still because of
 * it. NULL: nobody. */
static const struct pl_node *who_can_tell(const struct pl_graph *g, struct pl_round round,
                                          const struct pl_node *w, uint64_t more)
{
    for (struct pl_ref r = w->readers; !pl_is_init(r); r = pl_at(g, r)->next) {
        const struct pl_node *read = pl_at(g, r);
        if (!in_round(round, r) && !(read->flags & PL_GRAPH_F_RMW) && !cannot_tell(read, more) &&
            !pl_graph_awaits(read))
            return read;
    }
    return NULL;
}

static bool adds_to(const struct pl_node *w)
{
    return (w->flags & PL_GRAPH_F_RMW) && (w[-1].op == PL_OP_ADD || w[-1].op == PL_OP_SUB);
}

/* Does who acquires from `w` know no less than who acquires from what the first update found? */
static bool releases_as_much(const struct pl_graph *g, const struct pl_node *first,
                             const struct pl_node *w)
{
    if (pl_is_init(first[-1].rf))
        return true;
    const struct pl_node *found = pl_at(g, first[-1].rf);
    for (unsigned t = 0; t < g->threads; t++)
        if (found->release[t] > w->release[t])
            return false;
    return true;
}

/* Can the write of the round stand for what was there before the round? An update can. A store can
 * if it overwrites a write of the round itself (who comes between later: pl_round_minds). */
static bool replaces(const struct pl_graph *g, struct pl_round r, const struct pl_node *first,
                     const struct pl_node *before, const struct pl_node *w)
{
    return (w->flags & PL_GRAPH_F_RMW) ||
           (before->kind == PL_GRAPH_WRITE && in_round(r, before->self) &&
            releases_as_much(g, first, w));
}

/*
 * The updates of the round at the location of its first one there, and what comes between them in
 * co: each reads the one before, those of others only add. Then every value from the first to the
 * last is so much more than it would be without the round; nothing after the last, and nobody can
 * tell: either it is the same, or the others do not look at the bits that differ (two readers of
 * a lock that add themselves and take it back: each looks for the writer's bit only). Stores do as
 * well, as those that unlock, if they stand for what they overwrite (replaces()). *teller: one who
 * can tell, if it is only that.
 */
static bool ends_where_it_began(const struct pl_graph *g, struct pl_round r,
                                const struct pl_node *first, struct pl_ref *teller)
{
    const struct pl_location *l = &g->location[first->location - 1];
    const struct pl_node *last = first;
    const struct pl_node *told = NULL;
    uint64_t more = 0;
    for (const struct pl_node *next; (next = next_write(g, r, last)) != NULL;)
        last = next;
    const struct pl_node *before = first - 1; /* whose value the write finds */
    if (!(first->flags & PL_GRAPH_F_RMW))
        return false;
    for (int place = first->place; place <= last->place; place++) {
        const struct pl_node *w = pl_at(g, l->co[place]);
        bool own = in_round(r, w->self);
        if ((w->flags & PL_GRAPH_F_LOCK) || (own && !replaces(g, r, first, before, w)) ||
            (!own && (!adds_to(w) || !cannot_tell(&w[-1], more))))
            return false;
        more += own ? w->value - before->value : 0;
        before = w;
        told = told || w == last ? told : who_can_tell(g, r, w, more);
    }
    unsigned unused = last->size < 8 ? 8 * (8u - last->size) : 0;
    if (more << unused)
        return false;
    if (told)
        *teller = told->self;
    return !told;
}

static bool lock_is_unlocked(const struct pl_graph *g, struct pl_round r,
                             const struct pl_node *lock)
{
    for (unsigned k = lock->self.index + 1u; k < r.to; k++) {
        const struct pl_node *n = node_of(g, r, k);
        if (n->kind == PL_GRAPH_UNLOCK && n->location == lock->location)
            return n->other == lock->self.index;
    }
    return false;
}

static bool write_changes_nothing(const struct pl_graph *g, struct pl_round r,
                                  const struct pl_node *w, struct pl_ref *teller)
{
    if (w->flags & PL_GRAPH_F_LOCK)
        return lock_is_unlocked(g, r, w);
    if (w->flags & PL_GRAPH_F_DEAD) {
        const struct pl_node *other = touched_by(g, w);
        if (other && !pl_in_porf(w, other->self))
            *teller = other->self;
        return !other;
    }
    if (writes_back(w) && is_first_write(g, r, w) && !next_write(g, r, w))
        return true;
    return !is_first_write(g, r, w) || ends_where_it_began(g, r, w, teller);
}

/* Only of a round that changes nothing else it matters who can tell. */
bool pl_round_changes_nothing(const struct pl_graph *g, struct pl_round r, struct pl_ref *teller)
{
    struct pl_ref told = PL_INIT;
    *teller = PL_INIT;
    for (unsigned k = r.from; k < r.to; k++) {
        const struct pl_node *n = node_of(g, r, k);
        struct pl_ref by = PL_INIT;
        switch ((enum pl_graph_kind)n->kind) {
        case PL_GRAPH_READ:
        case PL_GRAPH_FENCE:
        case PL_GRAPH_CHOICE:
            break;
        case PL_GRAPH_WRITE:
            if (!write_changes_nothing(g, r, n, &by) && pl_is_init(by))
                return false;
            told = pl_is_init(told) ? by : told;
            break;
        case PL_GRAPH_UNLOCK:
            if (n->other < r.from)
                return false;
            break;
        case PL_GRAPH_BEGIN:
        case PL_GRAPH_CREATE:
        case PL_GRAPH_END:
        case PL_GRAPH_JOIN:
            return false;
        }
    }
    *teller = told;
    return pl_is_init(told);
}

bool pl_round_publishes(const struct pl_graph *g, struct pl_round r)
{
    for (unsigned k = r.from; k < r.to; k++) {
        const struct pl_node *n = node_of(g, r, k);
        if (n->kind == PL_GRAPH_UNLOCK ||
            (n->kind == PL_GRAPH_WRITE && !(n->flags & PL_GRAPH_F_DEAD)))
            return true;
    }
    return false;
}

bool pl_round_passes(const struct pl_graph *g, struct pl_round r, const struct pl_node *w)
{
    return w->kind == PL_GRAPH_WRITE && !(w->flags & PL_GRAPH_F_LOCK) &&
           ((w->flags & PL_GRAPH_F_DEAD) || next_write(g, r, w));
}

bool pl_round_takes_back_by_store(const struct pl_graph *g, struct pl_round r,
                                  const struct pl_node *w)
{
    const struct pl_node *next = next_write(g, r, w);
    return next && !(next->flags & PL_GRAPH_F_RMW) && !(w->flags & PL_GRAPH_F_DEAD);
}

bool pl_round_is_hopeless(const struct pl_graph *g, struct pl_round r)
{
    unsigned k = r.to;
    while (k > r.from && node_of(g, r, k - 1)->kind != PL_GRAPH_READ)
        k--;
    if (k == r.from)
        return false;
    const struct pl_node *read = node_of(g, r, k - 1);
    const struct pl_location *l = &g->location[read->location - 1];
    for (uint32_t i = l->writes; i > 0 && !pl_same(l->co[i - 1], read->rf); i--)
        if (!in_round(r, l->co[i - 1]) && pl_at(g, l->co[i - 1])->stamp < read->stamp)
            return true;
    return false;
}

bool pl_round_minds(const struct pl_graph *g, struct pl_round r, const struct pl_node *event)
{
    struct pl_ref teller;
    for (unsigned k = r.from; event->location && k < r.to; k++) {
        const struct pl_node *w = node_of(g, r, k);
        if (w->kind != PL_GRAPH_WRITE || w->location != event->location ||
            w->flags & PL_GRAPH_F_LOCK)
            continue;
        if (w->flags & PL_GRAPH_F_DEAD)
            return true;
        if (!write_changes_nothing(g, r, w, &teller))
            return true;
    }
    return false;
}

/* Does the write belong to a round at whose end a thread stands: one that changed nothing? */
static bool in_standing_round(struct pl_ref w, const struct pl_round *round, uint64_t standing)
{
    return w.thread < 64 && (standing >> w.thread & 1) && in_round(round[w.thread], w);
}

/* Would the read find the same again, as far as the program looks at it? Writes of void rounds
 * leave a location as it was, so they do not count; any other write does, even of the same value: a
 * thread that takes a lock anew may see what its last holder wrote beside it. */
static bool reads_the_newest(const struct pl_graph *g, const struct pl_node *n,
                             const struct pl_round *round, uint64_t standing)
{
    const struct pl_location *l = &g->location[n->location - 1];
    uint32_t i = l->writes;
    for (; i > 0 && !pl_same(l->co[i - 1], n->rf); i--)
        if (!in_standing_round(l->co[i - 1], round, standing))
            return false;
    while (i > 0 && in_standing_round(l->co[i - 1], round, standing))
        i--;
    uint64_t found = i ? pl_at(g, l->co[i - 1])->value : l->initial;
    return cannot_tell(n, n->value - found);
}

bool pl_round_is_endless(const struct pl_graph *g, unsigned thread, const struct pl_round *round,
                         uint64_t standing)
{
    struct pl_round r = round[thread];
    for (unsigned k = r.from; k < r.to; k++) {
        const struct pl_node *n = node_of(g, r, k);
        if (n->kind == PL_GRAPH_CHOICE)
            return false;
        if (n->kind != PL_GRAPH_READ)
            continue;
        if (!pl_is_init(n->rf) && in_round(r, n->rf))
            continue; /* its own: as it will be again */
        if (!reads_the_newest(g, n, round, standing))
            return false;
    }
    return true;
}

/* Is there a write of another thread's round that the read would not take for what it found? */
static bool sees_a_change(const struct pl_graph *g, const struct pl_node *n,
                          const struct pl_round *round, uint64_t standing)
{
    const struct pl_location *l = &g->location[n->location - 1];
    for (uint32_t i = 0; i < l->writes; i++) {
        const struct pl_node *w = pl_at(g, l->co[i]);
        if (w->self.thread != n->self.thread && in_standing_round(w->self, round, standing) &&
            pl_round_passes(g, round[w->self.thread], w) && !cannot_tell(n, n->value - w->value))
            return true;
    }
    return false;
}

bool pl_round_could_end(const struct pl_graph *g, unsigned thread, const struct pl_round *round,
                        uint64_t standing, struct pl_ref *read)
{
    struct pl_round r = round[thread];
    for (unsigned k = r.from; k < r.to; k++) {
        const struct pl_node *n = node_of(g, r, k);
        *read = n->self;
        if (n->kind == PL_GRAPH_READ && sees_a_change(g, n, round, standing))
            return true;
    }
    return false;
}
