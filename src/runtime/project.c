/*
 * An execution as a history: the order that its graph gives to calls and returns, and under weak
 * models which synchronisation of clients it allows besides (graph/clients.h).
 *
 * Histories that were there before are not given again: full keys, in a table with a limit, past
 * which some are given twice.
 */
#include <string.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "graph/clients.h"
#include "graph/effects.h"
#include "graph/store.h"
#include "runtime/harness.h"
#include "runtime/model.h"

enum {
    SLOTS = 1 << 18,
    KEYS = 1 << 26,
    GRAPH_ROOM = 1 << 20,
    WINDOW = 1 << 17,
    TOUCHED = 1 << 16,
    KEY_WORD = 16
};

static uint32_t *slot; /* 1 + place of a key */
static uint8_t *key;
static uint32_t keys, key_bytes;
static uint8_t *stored;

/* ---- known ones ---- */

static uint64_t mix(uint64_t hash, const uint8_t *from)
{
    uint64_t word;
    memcpy(&word, from, sizeof word);
    hash = (hash ^ word) * 0x9e3779b97f4a7c15u;
    return hash ^ hash >> 29;
}

/* Of a multiple of 16 bytes; in two chains, which do not wait for each other. */
static uint64_t hash_of(const uint8_t *bytes, uint32_t count)
{
    uint64_t one = 1469598103934665603u, two = one;
    for (uint32_t i = 0; i < count; i += 16) {
        one = mix(one, bytes + i);
        two = mix(two, bytes + i + 8);
    }
    return one ^ two << 1;
}

/* Is the key new? It is kept if there is room. */
static bool is_new(const uint8_t *bytes, uint32_t count)
{
    uint64_t hash = hash_of(bytes, count);
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

/* Is it time to go back to the start of the ring? A page that was never used costs as much as a few
 * histories, in both processes. Only if nothing waits for the tool, and with room for twice as much
 * as ever did before it looks again: what is skipped counts as used until it does. */
static bool may_go_back(const struct pl_wire *w, uint64_t at, uint32_t bytes)
{
    static uint64_t most;
    uint64_t waiting = w->sent - w->received;
    most = waiting > most ? waiting : most;
    return !waiting && at >= WINDOW && at >= 2 * (most + bytes);
}

/* Pages of the ring in one go, before they are touched one by one. */
static void touch_until(uint64_t end)
{
    static uint64_t touched;
    uint8_t *ring = rt.wire->history;
    uint64_t first = (4096 - (uintptr_t)ring % 4096) % 4096;
    if (end <= touched || touched + TOUCHED > PL_CHECK_RING - 4096)
        return;
    (void)syscall(SYS_madvise, ring + first + touched, TOUCHED,
                  MADV_POPULATE_WRITE); /* if it can */
    touched += TOUCHED;
}

/* Room for so many bytes in one piece; waits for the tool. NULL: it asks us to stop. */
static uint8_t *room_for(uint32_t bytes)
{
    struct pl_wire *w = rt.wire;
    uint64_t at = w->sent % PL_CHECK_RING, left = PL_CHECK_RING - at;
    bool wraps = left < bytes || may_go_back(w, at, bytes);
    uint64_t needed = wraps ? left + bytes : bytes;
    while (w->sent + needed - w->received > PL_CHECK_RING) {
        if (w->stop)
            return NULL;
        w->heartbeat++;
        syscall(SYS_sched_yield);
    }
    if (wraps) {
        struct pl_wire_history wrap = {.bytes = (uint32_t)left, .kind = PL_HISTORY_WRAP};
        memcpy(w->history + at, &wrap,
               left < sizeof wrap ? offsetof(struct pl_wire_history, graph) : sizeof wrap);
        __atomic_store_n(&w->sent, w->sent + left, __ATOMIC_RELEASE);
    }
    at = w->sent % PL_CHECK_RING;
    touch_until(at + bytes);
    return w->history + at;
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

enum {
    RECORD_ROOM = sizeof(struct pl_wire_history) + sizeof(struct pl_clients) +
                  PL_CHECK_OPERATIONS * (PL_CHECK_RESPONSE + 1u + sizeof(uint32_t)) +
                  (1 + 2 * PL_CHECK_OPERATIONS) * sizeof(uint64_t) +
                  PL_CHECK_CANDIDATES * sizeof(struct pl_wire_effect) + KEY_WORD
};

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

/* Rows of points, in half the bytes if they fit. */
static uint32_t add_rows(uint8_t *to, uint32_t used, const uint8_t *from, uint32_t rows,
                         uint32_t each)
{
    uint64_t row;
    bool small = 2 * pl_harness.count <= 32;
    for (uint32_t i = each - 1; i < rows; i += each) {
        memcpy(&row, from + i * sizeof row, sizeof row);
        memcpy(to + used, &row, sizeof row); /* the next one comes over its zeroes */
        used += small ? 4 : 8;
    }
    return used;
}

/*
 * What tells its record from others, in few bytes: no byte of them is without use for that. Of
 * `global` only returns have rows. The parts that vary in length say how long they are, so that
 * zeroes at the end change nothing.
 */
static bool is_known(const uint8_t *record, uint32_t used, const struct pl_wire_history *head)
{
    static uint8_t bytes[RECORD_ROOM];
    uint32_t rows = 2 * head->operations, at = sizeof *head, length = 0;
    const uint32_t first[3] = {head->called, head->returned, head->kind | head->clients << 8};
    if (head->kind == PL_HISTORY_SERIAL) {
        const size_t from = offsetof(struct pl_wire_history, called);
        length = add_bytes(bytes, 0, record + from, sizeof *head - from);
    } else {
        length = add_bytes(bytes, 0, first, sizeof first);
        length = add_rows(bytes, length, record + at, rows, 1);
        at += rows * (uint32_t)sizeof(uint64_t);
        for (unsigned each = 1; each <= 2 && head->clients; each++) { /* cause, global */
            length = add_rows(bytes, length, record + at, rows, each);
            at += rows * (uint32_t)sizeof(uint64_t);
        }
    }
    length = add_bytes(bytes, length, record + at, used - at);
    uint32_t whole = (length + KEY_WORD - 1u) & ~(KEY_WORD - 1u);
    memset(bytes + length, 0, whole - length);
    return !is_new(bytes, whole);
}

/* The record, what is stored, and what shows it again: at the end of the ring. */
static void hand_over(const uint8_t *record, uint32_t used, struct pl_wire_history *head)
{
    uint32_t asked = head->clients == PL_CLIENTS_ASK ? store_graph() : 0;
    uint32_t most = pl_model_outline_bytes(); /* more than a script has */
    uint8_t *to = room_for((used + asked + most + 7) & ~7u);
    if (!to)
        return;
    memcpy(to + sizeof *head, record + sizeof *head, used - sizeof *head);
    memcpy(to + used, stored, asked);
    head->stored = asked;
    head->graph = pl_model_outline(to + used + asked, most, &head->prefix);
    head->outlined = head->graph != 0;
    head->late = (uint8_t)rt.self->id;
    if (!head->outlined)
        head->graph = pl_model_save(to + used + asked, most);
    head->bytes = (used + asked + head->graph + 7) & ~7u;
    head->execution = rt.execution;
    memcpy(to, head, sizeof *head);
    __atomic_store_n(&rt.wire->sent, rt.wire->sent + head->bytes, __ATOMIC_RELEASE);
}

void pl_harness_give(enum pl_history_kind kind)
{
    static uint8_t record[RECORD_ROOM];
    struct pl_wire_history head;
    if (!stored)
        stored = pl_map(GRAPH_ROOM);
    describe(&head, kind);
    uint32_t used = write_record(record, &head, kind);
    rt.wire->histories++;
    bool asked_for = rt.options->check.mode == PL_CHECK_SEQUENCES; /* of another test, perhaps */
    if (!asked_for && head.clients != PL_CLIENTS_ASK && is_known(record, used, &head))
        rt.wire->repeated++;
    else
        hand_over(record, used, &head);
}
