/* Sharing the work: a way not yet taken, with its graph, as bytes. The ways of a search are
 * independent of each other, so any process can go on from one. */
#include <string.h>

#include "explore/trust_internal.h"
#include "graph/store.h"

/* The runtime numbers values of 16 bytes as they come: another process would take others for them.
 */
static bool has_wide(const struct pl_graph *g, uint32_t count)
{
    for (uint32_t i = 0; i < count; i++)
        if (pl_at(g, g->order[i])->size > 8)
            return true;
    return false;
}

/* What comes before the graph: the way, in which order threads move (readers.c), and which are
 * twins. */
struct head {
    struct item way;
    uint64_t readers, is_twin;
    uint16_t reads_after[PL_GRAPH_THREADS];
    uint8_t twin[PL_GRAPH_THREADS];
};

static uint64_t put(struct pl_trust *x, const struct pl_graph *g, const struct item *way,
                    uint8_t *out, uint64_t room)
{
    struct head head;
    if (has_wide(g, way->count)) {
        x->failure = "atomics of 16 bytes are explored by one process, without --jobs and "
                     "--checkpoint";
        return 0;
    }
    if (room < sizeof head)
        return 0;
    uint64_t used = pl_graph_store(g, way->count, out + sizeof head, room - sizeof head);
    if (!used)
        return 0;
    memset(&head, 0, sizeof head);
    head.way = *way;
    head.readers = x->readers;
    head.is_twin = x->is_twin;
    memcpy(head.reads_after, x->reads_after, sizeof head.reads_after);
    memcpy(head.twin, x->twin, sizeof head.twin);
    memcpy(out, &head, sizeof head);
    return sizeof head + used;
}

uint64_t pl_trust_give_next(struct pl_trust *x, uint8_t *out, uint64_t room)
{
    const struct item way = {.kind = WAY_WHOLE, .count = x->g->events, .stamps = x->g->stamps};
    return put(x, x->g, &way, out, room);
}

uint64_t pl_trust_give(struct pl_trust *x, uint8_t *out, uint64_t room)
{
    for (uint32_t f = 0; f <= x->depth; f++) {
        uint32_t end = f < x->depth ? x->base[f + 1] : x->items;
        if (x->base[f] + x->given[f] == end)
            continue;
        uint64_t used = put(x, x->frame[f], &x->item[x->base[f] + x->given[f]], out, room);
        x->given[f] += used > 0;
        return used;
    }
    return 0;
}

static bool is_event(const struct pl_graph *g, struct pl_ref e)
{
    return e.thread < g->threads && e.index < g->thread[e.thread].count;
}

static bool is_write(const struct pl_graph *g, struct pl_ref e, uint32_t location)
{
    return is_event(g, e) && pl_at(g, e)->kind == PL_GRAPH_WRITE &&
           pl_at(g, e)->location == location;
}

static bool is_possible(const struct pl_graph *g, const struct item *way)
{
    static const uint8_t kinds[] = {[WAY_RF] = PL_GRAPH_READ,       [WAY_CO] = PL_GRAPH_WRITE,
                                    [WAY_REVISIT] = PL_GRAPH_WRITE, [WAY_CONFLICT] = PL_GRAPH_READ,
                                    [WAY_CHOICE] = PL_GRAPH_CHOICE, [WAY_PLACE] = PL_GRAPH_WRITE};
    if (way->kind == WAY_WHOLE)
        return way->count == g->events;
    if (way->kind > WAY_PLACE || way->count != g->events || !g->events ||
        !is_event(g, way->event) || pl_at(g, way->event)->kind != kinds[way->kind])
        return false;
    uint32_t location = pl_at(g, way->event)->location;
    bool reads = way->kind == WAY_RF || way->kind == WAY_CONFLICT;
    bool revisits = way->kind == WAY_REVISIT || way->kind == WAY_CONFLICT;
    if (reads && !pl_is_init(way->from) && !is_write(g, way->from, location))
        return false;
    if (revisits && (!is_event(g, way->victim) || pl_at(g, way->victim)->kind != PL_GRAPH_READ ||
                     pl_at(g, way->victim)->location != location))
        return false;
    const struct pl_ref none = {0, 0}; /* pairs.c */
    if (way->kind == WAY_RF && !pl_same(way->victim, none) && !is_write(g, way->victim, location))
        return false;
    if (way->kind == WAY_PLACE &&
        (!is_event(g, way->victim) || (!pl_same(way->from, none) && !pl_is_init(way->from) &&
                                       !is_write(g, way->from, location))))
        return false;
    return way->kind == WAY_CHOICE ||
           way->place < (location ? g->location[location - 1].writes : 1);
}

static bool are_possible(const struct pl_graph *g, const struct head *h)
{
    for (unsigned t = 0; t < PL_GRAPH_THREADS; t++)
        if (h->twin[t] > t)
            return false;
    for (uint32_t i = 0; i < g->events; i++) {
        const struct pl_node *n = pl_at(g, g->order[i]);
        if (pl_pair_has_since(n) && !is_write(g, pl_pair_since(n), n->location))
            return false;
    }
    return is_possible(g, &h->way);
}

bool pl_trust_receive(struct pl_trust *x, const uint8_t *bytes, uint64_t count)
{
    struct head head;
    x->depth = x->stations = 0;
    x->g = x->frame[0];
    x->items = x->given[0] = 0;
    if (count < sizeof head || !pl_graph_load(x->g, bytes + sizeof head, count - sizeof head)) {
        x->failure = "the work handed over is damaged";
        return false;
    }
    memcpy(&head, bytes, sizeof head);
    if (!are_possible(x->g, &head)) {
        x->failure = "the work handed over is damaged";
        return false;
    }
    x->item[x->items++] = head.way;
    x->twins = head.is_twin != 0;
    x->is_twin = head.is_twin;
    memcpy(x->twin, head.twin, sizeof x->twin);
    x->learnt = true;
    x->readers = head.readers;
    memcpy(x->reads_after, head.reads_after, sizeof x->reads_after);
    return pl_trust_next_run(x);
}
