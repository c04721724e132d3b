/*
 * An execution as a history: the order that its graph gives to calls and returns.
 *
 * A call or return p stands between two events of its thread. Another, q, must come after p
 * exactly if some event after p is in the past of some event before q; it is enough to look at
 * the first event after p and the last one before q. Under sc the past is that of po, rf, co, fr
 * and the edges of create, join and unlock; under weaker models it is happens-before, since a
 * client can order its calls only by what synchronises.
 *
 * Histories that were there before are not given again: full keys, in a table with a limit, past
 * which some are given twice.
 */
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "runtime/harness.h"
#include "runtime/model.h"

enum { SLOTS = 1 << 18, KEYS = 1 << 26, GRAPH_ROOM = 1 << 20 };

typedef uint16_t view[PL_GRAPH_THREADS];

static view *past[PL_GRAPH_THREADS]; /* of each event, under sc */
static uint32_t *slot;               /* 1 + place of a key */
static uint8_t *key;
static uint32_t keys, key_bytes;
static uint8_t *graph;

/* ---- the past of each event under sc ---- */

/* Joins what is in the past of `from`, if that is known already. */
static bool add(view to, const struct pl_node *from, const uint32_t *done)
{
    if (from->self.index >= done[from->self.thread])
        return false;
    pl_view_join(to, past[from->self.thread][from->self.index]);
    return true;
}

/* The readers of the write before this one in co come before it; so does that write. */
static bool add_overwritten(view to, const struct pl_graph *g, const struct pl_node *w,
                            const uint32_t *done)
{
    const struct pl_location *l = &g->location[w->location - 1];
    struct pl_ref r = l->readers;
    if (w->place > 0) {
        const struct pl_node *before = pl_at(g, l->co[w->place - 1]);
        if (!add(to, before, done))
            return false;
        r = before->readers;
    }
    for (; !pl_is_init(r); r = pl_at(g, r)->next)
        if (!(r.thread == w->self.thread && r.index < w->self.index) && !add(to, pl_at(g, r), done))
            return false;
    return true;
}

static bool add_event(const struct pl_graph *g, const struct pl_node *e, const uint32_t *done)
{
    unsigned t = e->self.thread, i = e->self.index;
    view *mine = &past[t][i];
    static const view nothing;
    const uint16_t *before = i ? e[-1].porf : nothing;
    memcpy(mine, i ? past[t][i - 1] : nothing, sizeof *mine);
    for (unsigned k = 0; k < g->threads; k++)
        if (k != t && e->porf[k] > before[k] && e->porf[k] > (*mine)[k] &&
            !add(*mine, &g->thread[k].node[e->porf[k] - 1], done))
            return false;
    if (e->kind == PL_GRAPH_WRITE && !add_overwritten(*mine, g, e, done))
        return false;
    (*mine)[t] = (uint16_t)(i + 1);
    return true;
}

/* An order of all events that respects every edge is there, because the graph is consistent. */
static void find_pasts(const struct pl_graph *g)
{
    uint32_t done[PL_GRAPH_THREADS] = {0}, left = g->events;
    while (left) {
        uint32_t at_first = left;
        for (unsigned t = 0; t < g->threads; t++)
            while (done[t] < g->thread[t].count &&
                   add_event(g, &g->thread[t].node[done[t]], done)) {
                done[t]++;
                left--;
            }
        if (left == at_first)
            pl_unsupported("an execution under sc has a cycle: an error in Plumbline", 0);
    }
}

/* ---- the order of calls and returns ---- */

static const uint16_t *past_of(const struct pl_graph *g, bool sc, unsigned thread, unsigned index)
{
    return sc ? past[thread][index] : g->thread[thread].node[index].hb;
}

/* Bit 2i: call of invocation i; 2i + 1: its return. */
static void find_order(const struct pl_graph *g, bool sc, uint64_t *before)
{
    const struct pl_harness *h = &pl_harness;
    for (uint32_t y = 0; y < 2 * h->count; y++) {
        const struct pl_invocation *q = &h->invocation[y / 2];
        before[y] = 0;
        if (!(y & 1 ? q->returned : q->called))
            continue;
        unsigned at = y & 1 ? q->ret : q->call;
        const uint16_t *earlier = at ? past_of(g, sc, q->thread, at - 1u) : NULL;
        for (uint32_t x = 0; x < 2 * h->count; x++) {
            const struct pl_invocation *p = &h->invocation[x / 2];
            if (x == y || !(x & 1 ? p->returned : p->called))
                continue;
            unsigned from = x & 1 ? p->ret : p->call;
            bool ordered = p->thread == q->thread ? x < y : earlier && earlier[p->thread] > from;
            before[y] |= (uint64_t)ordered << x;
        }
    }
}

/* ---- known ones ---- */

/* Is the key new? It is kept if there is room. */
static bool is_new(const uint8_t *bytes, uint32_t count)
{
    uint64_t hash = 1469598103934665603u;
    for (uint32_t i = 0; i < count; i++)
        hash = (hash ^ bytes[i]) * 1099511628211u;
    if (!slot) {
        slot = pl_map(SLOTS * sizeof *slot);
        key = pl_map(KEYS);
    }
    for (uint64_t s = (hash ^ hash >> 32) % SLOTS;; s = (s + 1) % SLOTS) {
        uint32_t length;
        if (!slot[s]) {
            if (keys < SLOTS / 2 && key_bytes + sizeof length + count <= KEYS) {
                slot[s] = key_bytes + 1;
                memcpy(key + key_bytes, &count, sizeof count);
                memcpy(key + key_bytes + sizeof count, bytes, count);
                key_bytes += (uint32_t)sizeof count + count;
                keys++;
            }
            return true;
        }
        memcpy(&length, key + slot[s] - 1, sizeof length);
        if (length == count && memcmp(key + slot[s] - 1 + sizeof length, bytes, count) == 0)
            return false;
    }
}

/* ---- to the tool ---- */

/* Room for so many bytes in one piece; waits for the tool. NULL: it asks us to stop. */
static uint8_t *room_for(uint32_t bytes)
{
    struct pl_wire *w = rt.wire;
    uint64_t at = w->sent % PL_CHECK_RING, left = PL_CHECK_RING - at;
    uint64_t needed = left < bytes ? left + bytes : bytes;
    while (w->sent + needed - w->received > PL_CHECK_RING) {
        if (w->stop)
            return NULL;
        w->heartbeat++;
        syscall(SYS_sched_yield);
    }
    if (left < bytes) {
        struct pl_wire_history wrap = {.bytes = (uint32_t)left, .kind = PL_HISTORY_WRAP};
        memcpy(w->history + at, &wrap,
               left < sizeof wrap ? offsetof(struct pl_wire_history, graph) : sizeof wrap);
        __atomic_store_n(&w->sent, w->sent + left, __ATOMIC_RELEASE);
    }
    return w->history + w->sent % PL_CHECK_RING;
}

static void describe(struct pl_wire_history *out, enum pl_history_kind kind)
{
    const struct pl_harness *h = &pl_harness;
    memset(out, 0, sizeof *out);
    out->kind = (uint8_t)kind;
    out->operations = (uint8_t)h->count;
    if (kind == PL_HISTORY_SERIAL) {
        out->ran = (uint8_t)h->running;
        memcpy(out->order, h->ran, h->running);
    }
    for (uint32_t i = 0; i < h->count; i++) {
        out->called |= (uint32_t)h->invocation[i].called << i;
        out->returned |= (uint32_t)h->invocation[i].returned << i;
    }
}

void pl_harness_give(enum pl_history_kind kind)
{
    static uint8_t record[sizeof(struct pl_wire_history) + 64 * sizeof(uint64_t) +
                          PL_CHECK_OPERATIONS * (PL_CHECK_RESPONSE + 1u)];
    const struct pl_graph *g = pl_model_graph();
    const struct pl_harness *h = &pl_harness;
    struct pl_wire_history head;
    uint64_t before[2 * PL_CHECK_OPERATIONS] = {0};
    bool sc = strcmp(rt.options->explore, "sc") == 0;
    if (!graph) {
        graph = pl_map(GRAPH_ROOM);
        for (unsigned t = 0; t < PL_GRAPH_THREADS; t++)
            past[t] = pl_map(PL_GRAPH_LENGTH * sizeof(view));
    }
    describe(&head, kind);
    if (kind != PL_HISTORY_SERIAL) {
        if (sc)
            find_pasts(g);
        find_order(g, sc, before);
    }
    uint32_t used = sizeof head;
    memcpy(record, &head, sizeof head);
    memcpy(record + used, before, 2 * h->count * sizeof *before);
    used += (uint32_t)(2 * h->count * sizeof *before);
    for (uint32_t i = 0; i < h->count; i++)
        if (h->invocation[i].returned) {
            record[used++] = (uint8_t)h->invocation[i].bytes;
            memcpy(record + used, h->invocation[i].response, h->invocation[i].bytes);
            used += h->invocation[i].bytes;
        }
    rt.wire->histories++;
    if (!is_new(record, used)) {
        rt.wire->repeated++;
        return;
    }
    uint32_t saved = pl_model_save(graph, GRAPH_ROOM);
    uint32_t total = (used + saved + 7) & ~7u;
    uint8_t *to = room_for(total);
    if (!to)
        return;
    head.bytes = total;
    head.graph = saved;
    head.execution = rt.execution;
    memcpy(to, &head, sizeof head);
    memcpy(to + sizeof head, record + sizeof head, used - sizeof head);
    memcpy(to + used, graph, saved);
    __atomic_store_n(&rt.wire->sent, rt.wire->sent + total, __ATOMIC_RELEASE);
}
