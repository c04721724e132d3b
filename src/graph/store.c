/* Graphs as bytes: store.h. Every number is checked when it is read back. */
#include "graph/store.h"

#include <string.h>

struct head {
    uint32_t locations, events, stamps, pad;
};

struct stored_location {
    uint64_t key, initial;
};

struct stored_event {
    uint64_t value, other, operand, expected;
    uint32_t location, stamp;
    struct pl_ref rf;
    uint16_t thread;
    uint16_t place; /* writes: in co */
    uint8_t kind, order, flags, size;
    uint8_t op, order_ok, order_fail, await;
};

/* Place in co among the first `count` events. */
static uint16_t place_among(const struct pl_graph *g, const struct pl_node *w, const bool *kept)
{
    const struct pl_location *l = &g->location[w->location - 1];
    uint16_t place = 0;
    for (int i = 0; i < w->place && w->place != PL_NOWHERE; i++)
        place = (uint16_t)(place + kept[l->co[i].thread * PL_GRAPH_LENGTH + l->co[i].index]);
    return place;
}

static bool kept[PL_GRAPH_THREADS * PL_GRAPH_LENGTH]; /* all false between calls */

static void mark(const struct pl_graph *g, uint32_t count, bool value)
{
    for (uint32_t i = 0; i < count; i++)
        kept[g->order[i].thread * PL_GRAPH_LENGTH + g->order[i].index] = value;
}

uint64_t pl_graph_store(const struct pl_graph *g, uint32_t count, uint8_t *out, uint64_t room)
{
    struct head head = {.locations = g->locations, .events = count, .stamps = g->stamps};
    uint64_t bytes = sizeof head + g->locations * sizeof(struct stored_location) +
                     count * sizeof(struct stored_event);
    if (bytes > room)
        return 0;
    memcpy(out, &head, sizeof head);
    out += sizeof head;
    for (uint32_t i = 0; i < g->locations; i++) {
        struct stored_location l = {g->location[i].key, g->location[i].initial};
        memcpy(out, &l, sizeof l);
        out += sizeof l;
    }
    mark(g, count, true);
    for (uint32_t i = 0; i < count; i++) {
        const struct pl_node *n = pl_at(g, g->order[i]);
        struct stored_event e = {.value = n->value,
                                 .other = n->other,
                                 .operand = n->operand,
                                 .expected = n->expected,
                                 .location = n->location,
                                 .stamp = n->stamp,
                                 .rf = n->rf,
                                 .thread = n->self.thread,
                                 .kind = n->kind,
                                 .order = n->order,
                                 .flags = n->flags,
                                 .size = n->size,
                                 .op = n->op,
                                 .order_ok = n->order_ok,
                                 .order_fail = n->order_fail,
                                 .await = n->await};
        if (n->kind == PL_GRAPH_WRITE)
            e.place = place_among(g, n, kept);
        memcpy(out, &e, sizeof e);
        out += sizeof e;
    }
    mark(g, count, false);
    return bytes;
}

static bool is_possible(const struct pl_graph *g, const struct stored_event *e)
{
    bool access = e->kind == PL_GRAPH_READ || e->kind == PL_GRAPH_WRITE;
    if (e->kind > PL_GRAPH_CHOICE || e->thread >= PL_GRAPH_THREADS || e->location > g->locations ||
        (access && !e->location) || e->order > PL_SC || e->op > PL_OP_LEAVE ||
        e->await > PL_AWAIT_OTHER || e->size > 8 || e->stamp > g->stamps)
        return false;
    if (e->thread < g->threads && g->thread[e->thread].count == PL_GRAPH_LENGTH)
        return false;
    if ((e->kind == PL_GRAPH_JOIN || e->kind == PL_GRAPH_BEGIN) && e->value + 1 > g->threads)
        return false;
    bool update = e->kind == PL_GRAPH_WRITE && (e->flags & PL_GRAPH_F_RMW);
    if (update && (e->thread >= g->threads || !g->thread[e->thread].count ||
                   g->thread[e->thread].node[g->thread[e->thread].count - 1].kind != PL_GRAPH_READ))
        return false;
    if (e->kind != PL_GRAPH_READ || pl_is_init(e->rf))
        return true;
    return e->rf.thread < g->threads && e->rf.index < g->thread[e->rf.thread].count &&
           pl_at(g, e->rf)->kind == PL_GRAPH_WRITE && pl_at(g, e->rf)->location == e->location;
}

static void add_calls(struct pl_graph *g, struct pl_node *n)
{
    if (n->kind == PL_GRAPH_BEGIN && n->value < g->threads) /* main has no creator */
        pl_graph_add_create(g, n);
    if (n->kind == PL_GRAPH_JOIN && g->thread[n->value].count)
        pl_graph_add_past(n, &g->thread[n->value].node[g->thread[n->value].count - 1]);
}

static void add(struct pl_graph *g, const struct stored_event *e)
{
    struct pl_node *n = pl_graph_add(g, e->thread, e->kind, e->location);
    n->value = e->value;
    n->other = e->other;
    n->operand = e->operand;
    n->expected = e->expected;
    n->order = e->order;
    n->size = e->size;
    n->op = e->op;
    n->order_ok = e->order_ok;
    n->order_fail = e->order_fail;
    n->await = e->await;
    n->stamp = e->stamp;
    add_calls(g, n);
    if (n->kind == PL_GRAPH_READ || n->kind == PL_GRAPH_FENCE)
        pl_graph_set_rf(g, n, n->kind == PL_GRAPH_READ ? e->rf : PL_INIT);
    n->flags = e->flags;
    if (n->kind == PL_GRAPH_WRITE) {
        pl_graph_set_release(g, n);
        pl_graph_insert_co(g, n, g->location[n->location - 1].writes);
    }
}

/* The writes, until now in the order of the events, as they stood in co. */
static bool order_writes(struct pl_graph *g, const struct stored_event *events, uint32_t count)
{
    for (uint32_t i = 0; i < count; i++) {
        struct pl_node *n = pl_at(g, g->order[i]);
        if (n->kind != PL_GRAPH_WRITE)
            continue;
        struct stored_event e;
        memcpy(&e, &events[i], sizeof e);
        if (e.place >= g->location[n->location - 1].writes)
            return false;
        g->location[n->location - 1].co[e.place] = n->self;
        n->place = (int16_t)e.place;
    }
    for (uint32_t i = 0; i < count; i++) { /* each place once */
        const struct pl_node *n = pl_at(g, g->order[i]);
        if (n->kind == PL_GRAPH_WRITE &&
            !pl_same(g->location[n->location - 1].co[n->place], n->self))
            return false;
    }
    return true;
}

uint64_t pl_graph_load(struct pl_graph *g, const uint8_t *bytes, uint64_t count)
{
    struct head head;
    pl_graph_clear(g);
    if (count < sizeof head)
        return 0;
    memcpy(&head, bytes, sizeof head);
    if (head.locations > PL_GRAPH_LOCATIONS || head.events > PL_GRAPH_EVENTS)
        return 0;
    uint64_t locations = head.locations * sizeof(struct stored_location),
             needed = sizeof head + locations + head.events * sizeof(struct stored_event);
    if (count < needed)
        return 0;
    for (uint32_t i = 0; i < head.locations; i++) {
        struct stored_location l;
        memcpy(&l, bytes + sizeof head + i * sizeof l, sizeof l);
        if (pl_graph_location(g, l.key, l.initial) != i + 1)
            goto bad;
    }
    g->stamps = head.stamps;
    const struct stored_event *events = (const void *)(bytes + sizeof head + locations);
    for (uint32_t i = 0; i < head.events; i++) {
        struct stored_event e;
        memcpy(&e, &events[i], sizeof e);
        if (!is_possible(g, &e))
            goto bad;
        add(g, &e);
        g->stamps = head.stamps;
    }
    if (order_writes(g, events, head.events))
        return needed;
bad:
    pl_graph_clear(g);
    return 0;
}

/* ---- outlines ---- */

/* One event is a word: thread (5 bits), kind (4), flags (5), location (18), and two numbers of 16
 * bits: what a read reads; the place in co of a write; the value of anything else. */
_Static_assert(PL_GRAPH_THREADS <= 1 << 5 && PL_GRAPH_CHOICE < 1 << 4 &&
                   PL_GRAPH_LOCATIONS < 1 << 18 && PL_OUTLINE_BYTES == sizeof(uint64_t),
               "it has to fit");

uint64_t pl_graph_outline(const struct pl_graph *g, uint8_t *out, uint64_t room)
{
    uint32_t nowhere = 0;
    if ((uint64_t)g->events * PL_OUTLINE_BYTES > room)
        return 0;
    for (uint32_t i = 0; i < g->events; i++, out += PL_OUTLINE_BYTES) {
        const struct pl_node *n = pl_at(g, g->order[i]);
        bool write = n->kind == PL_GRAPH_WRITE, read = n->kind == PL_GRAPH_READ;
        uint16_t a = read ? n->rf.thread : write ? (uint16_t)n->place : (uint16_t)n->value;
        uint64_t word = n->self.thread | (uint32_t)n->kind << 5 | (uint32_t)(n->flags & 31) << 9 |
                        n->location << 14 | (uint64_t)a << 32 |
                        (uint64_t)(read ? n->rf.index : 0) << 48;
        memcpy(out, &word, sizeof word);
        nowhere |= write && n->place == PL_NOWHERE;
    }
    return nowhere ? 0 : (uint64_t)g->events * PL_OUTLINE_BYTES;
}

static struct stored_event of_outline(const uint8_t *at)
{
    uint64_t word;
    memcpy(&word, at, sizeof word);
    uint16_t a = (uint16_t)(word >> 32), b = (uint16_t)(word >> 48);
    struct stored_event e = {.thread = word & 31,
                             .kind = word >> 5 & 15,
                             .flags = word >> 9 & 31,
                             .location = (uint32_t)word >> 14,
                             .rf = PL_INIT};
    if (e.kind == PL_GRAPH_READ)
        e.rf = (struct pl_ref){a, b};
    else if (e.kind == PL_GRAPH_WRITE)
        e.place = a;
    else
        e.value = a == UINT16_MAX ? UINT64_MAX : a; /* nobody */
    return e;
}

bool pl_graph_load_outline(struct pl_graph *g, const uint8_t *bytes, uint64_t count)
{
    static struct stored_event event[PL_GRAPH_EVENTS]; /* no two calls at once */
    uint64_t events = count / PL_OUTLINE_BYTES;
    bool good = events <= PL_GRAPH_EVENTS;
    pl_graph_clear(g);
    for (uint64_t i = 0; i < events && good; i++) {
        event[i] = of_outline(bytes + i * PL_OUTLINE_BYTES);
        good = event[i].location <= PL_GRAPH_LOCATIONS;
        while (good && g->locations < event[i].location)
            (void)pl_graph_location(g, g->locations + 1, 0);
        good = good && is_possible(g, &event[i]);
        if (good)
            add(g, &event[i]);
    }
    if (good && order_writes(g, event, (uint32_t)events))
        return true;
    pl_graph_clear(g);
    return false;
}
