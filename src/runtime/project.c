/*
 * An execution as a history: the order that its graph gives to calls and returns, and under weak
 * models which synchronisation of clients it allows besides (graph/clients.h).
 *
 * Histories that were there before are not given again: full keys, in a table with a limit, past
 * which some are given twice.
 */
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "graph/clients.h"
#include "graph/effects.h"
#include "graph/store.h"
#include "runtime/harness.h"
#include "runtime/model.h"

enum { SLOTS = 1 << 18, KEYS = 1 << 26, GRAPH_ROOM = 1 << 20 };

static uint32_t *slot; /* 1 + place of a key */
static uint8_t *key;
static uint32_t keys, key_bytes;
static uint8_t *graph, *stored;

/* ---- known ones ---- */

/* Is the key new? It is kept if there is room. */
static bool is_new(const uint8_t *bytes, uint32_t count)
{
    uint64_t hash = 1469598103934665603u, word = 0;
    for (uint32_t i = 0; i < count; i += sizeof word, word = 0) {
        memcpy(&word, bytes + i, count - i < sizeof word ? count - i : sizeof word);
        hash = (hash ^ word) * 0x9e3779b97f4a7c15u;
        hash ^= hash >> 29;
    }
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

static void list_calls(struct pl_graph_call *call)
{
    const struct pl_harness *h = &pl_harness;
    _Static_assert((int)PL_CHECK_OPERATIONS == PL_GRAPH_CALLS, "the same limits");
    for (uint32_t i = 0; i < h->count; i++) {
        const struct pl_invocation *v = &h->invocation[i];
        call[i] = (struct pl_graph_call){.call = v->call,
                                         .ret = v->ret,
                                         .thread = v->thread,
                                         .called = v->called,
                                         .returned = v->returned};
    }
}

/* What the graph says of its clients; under sc that is an order. What happens before returns. */
static void project(struct pl_clients *out, uint32_t *passed, bool sc)
{
    const struct pl_harness *h = &pl_harness;
    struct pl_graph_call call[PL_CHECK_OPERATIONS];
    list_calls(call);
    const struct pl_model *model = sc ? &pl_model_sc : pl_model_named(rt.options->explore);
    pl_graph_clients(pl_model_graph(), model, call, h->count, out);
    if (rt.options->check.publication && sc)
        pl_graph_passed(pl_model_graph(), call, h->count, passed);
    for (uint32_t j = 0; j < h->count && !sc; j++) /* there, the order is happens-before */
        for (uint32_t i = 0; i < h->count; i++)
            passed[j] |= (uint32_t)(out->order[2 * j + 1] >> 2 * i & 1) << i;
}

static uint32_t add_bytes(uint8_t *record, uint32_t used, const void *from, size_t bytes)
{
    memcpy(record + used, from, bytes);
    return used + (uint32_t)bytes;
}

/* Where operations took effect, by the marks that were passed, or could have. */
static uint32_t add_effects(uint8_t *record, uint32_t used, bool sc)
{
    static struct pl_effect given[PL_CHECK_CANDIDATES];
    static struct pl_graph_effect effect[PL_CHECK_CANDIDATES];
    static struct pl_graph_effect_order order[PL_CHECK_CANDIDATES];
    const struct pl_harness *h = &pl_harness;
    struct pl_graph_call call[PL_CHECK_OPERATIONS];
    uint64_t count = h->effects, reach[2 * PL_CHECK_OPERATIONS];
    if (rt.options->check.infer)
        count = pl_effects_candidates(given);
    else
        memcpy(given, h->effect, h->effects * sizeof *given);
    list_calls(call);
    for (uint32_t k = 0; k < count; k++)
        effect[k] = (struct pl_graph_effect){.thread = given[k].thread, .event = given[k].event};
    pl_graph_effects(pl_model_graph(), sc, call, h->count, effect, (unsigned)count, order,
                     sc ? NULL : reach);
    used = add_bytes(record, used, &count, sizeof count);
    for (uint32_t k = 0; k < count; k++) {
        const struct pl_wire_effect e = {.before = order[k].before,
                                         .after = order[k].after,
                                         .earlier = order[k].earlier,
                                         .with = order[k].with,
                                         .past = sc ? 0 : order[k].past,
                                         .future = sc ? 0 : order[k].future,
                                         .pc = given[k].pc,
                                         .operation = given[k].operation,
                                         .by = given[k].by};
        used = add_bytes(record, used, &e, sizeof e);
    }
    if (!sc)
        used = add_bytes(record, used, reach, 2 * h->count * sizeof *reach);
    return used;
}

/* Everything that tells histories apart, as the tool reads it (result/wire.h). */
static uint32_t write_record(uint8_t *record, struct pl_wire_history *head,
                             enum pl_history_kind kind)
{
    static struct pl_clients clients;
    uint32_t passed[PL_CHECK_OPERATIONS] = {0};
    const struct pl_harness *h = &pl_harness;
    bool sc = strcmp(rt.options->explore, "sc") == 0;
    size_t rows = 2 * h->count * sizeof *clients.order;
    if (kind == PL_HISTORY_SERIAL)
        memset(&clients, 0, sizeof clients);
    else
        project(&clients, passed, sc);
    if (kind != PL_HISTORY_SERIAL && !sc)
        head->clients = clients.exact ? PL_CLIENTS_EXACT : PL_CLIENTS_ASK;
    uint32_t used = add_bytes(record, 0, head, sizeof *head);
    used = add_bytes(record, used, clients.order, rows);
    if (head->clients) {
        used = add_bytes(record, used, clients.cause, rows);
        used = add_bytes(record, used, clients.global, rows);
        used = add_bytes(record, used, clients.barred, h->count * sizeof *clients.barred);
    }
    if (rt.options->check.publication)
        used = add_bytes(record, used, passed, h->count * sizeof *passed);
    if ((rt.options->check.points || rt.options->check.infer) && kind != PL_HISTORY_SERIAL)
        used = add_effects(record, used, sc);
    for (uint32_t i = 0; i < h->count; i++)
        if (h->invocation[i].returned) {
            record[used++] = (uint8_t)h->invocation[i].bytes;
            used = add_bytes(record, used, h->invocation[i].response, h->invocation[i].bytes);
        }
    return used;
}

/* Where the graph itself has to be asked, it goes along: points, then the graph. */
static uint32_t store_graph(void)
{
    const struct pl_harness *h = &pl_harness;
    const struct pl_graph *g = pl_model_graph();
    uint32_t used = 0;
    for (uint32_t i = 0; i < h->count; i++) {
        uint16_t points[3] = {h->invocation[i].thread, h->invocation[i].call, h->invocation[i].ret};
        used = add_bytes(stored, used, points, sizeof points);
    }
    return used + (uint32_t)pl_graph_store(g, g->events, stored + used, GRAPH_ROOM - used);
}

void pl_harness_give(enum pl_history_kind kind)
{
    static uint8_t record[sizeof(struct pl_wire_history) + sizeof(struct pl_clients) +
                          PL_CHECK_OPERATIONS * (PL_CHECK_RESPONSE + 1u + sizeof(uint32_t)) +
                          (1 + 2 * PL_CHECK_OPERATIONS) * sizeof(uint64_t) +
                          PL_CHECK_CANDIDATES * sizeof(struct pl_wire_effect)];
    struct pl_wire_history head;
    if (!graph) {
        graph = pl_map(GRAPH_ROOM);
        stored = pl_map(GRAPH_ROOM);
    }
    describe(&head, kind);
    uint32_t used = write_record(record, &head, kind);
    rt.wire->histories++;
    bool asked_for = rt.options->check.mode == PL_CHECK_SEQUENCES; /* of another test, perhaps */
    if (!asked_for && head.clients != PL_CLIENTS_ASK && !is_new(record, used)) {
        rt.wire->repeated++;
        return;
    }
    uint32_t saved = pl_model_save(graph, GRAPH_ROOM);
    uint32_t asked = head.clients == PL_CLIENTS_ASK ? store_graph() : 0;
    uint32_t total = (used + asked + saved + 7) & ~7u;
    uint8_t *to = room_for(total);
    if (!to)
        return;
    head.bytes = total;
    head.graph = saved;
    head.stored = asked;
    head.execution = rt.execution;
    memcpy(to, &head, sizeof head);
    memcpy(to + sizeof head, record + sizeof head, used - sizeof head);
    memcpy(to + used, stored, asked);
    memcpy(to + used + asked, graph, saved);
    __atomic_store_n(&rt.wire->sent, rt.wire->sent + total, __ATOMIC_RELEASE);
}
