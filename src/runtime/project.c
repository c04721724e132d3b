/*
 * An execution as a history: the order that its graph gives to calls and returns, and under weak
 * models which synchronisation of clients it allows besides (graph/clients.h). To the tool go those
 * that were not there before and that the process cannot explain itself (explain.h).
 *
 * Histories are told apart by all but `global` (C3), which costs most to find and is not needed to
 * explain nearly all of them. Where it is needed, those that differ in it are sent each.
 */
#include <string.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "graph/clients.h"
#include "graph/effects.h"
#include "graph/store.h"
#include "runtime/explain.h"
#include "runtime/harness.h"
#include "runtime/model.h"

enum { GRAPH_ROOM = 1 << 20, WINDOW = 1 << 17, TOUCHED = 1 << 16 };

static uint8_t *stored;

/* The history that is made. */
static struct {
    struct pl_wire_history head;
    struct pl_graph_call call[PL_CHECK_OPERATIONS];
    struct pl_clients clients;
    uint32_t passed[PL_CHECK_OPERATIONS]; /* if publication is asked for, once it is found */
    struct pl_answers answers;
    uint32_t effect_bytes; /* points, as the tool reads them */
    uint8_t effect[(1 + 2 * PL_CHECK_OPERATIONS) * sizeof(uint64_t) +
                   PL_CHECK_CANDIDATES * sizeof(struct pl_wire_effect)];
} made;

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

/* Until the tool has taken so many bytes of all; false: it asks us to stop. */
static bool wait_until(uint64_t received)
{
    struct pl_wire *w = rt.wire;
    while ((int64_t)(received - w->received) > 0) {
        if (w->stop)
            return false;
        w->heartbeat++;
        syscall(SYS_sched_yield);
    }
    return true;
}

/* Room for so many bytes in one piece; waits for the tool. NULL: it asks us to stop. */
static uint8_t *room_for(uint32_t bytes)
{
    struct pl_wire *w = rt.wire;
    uint64_t at = w->sent % PL_CHECK_RING, left = PL_CHECK_RING - at;
    bool wraps = left < bytes || may_go_back(w, at, bytes);
    uint64_t needed = wraps ? left + bytes : bytes;
    if (!wait_until(w->sent + needed - PL_CHECK_RING))
        return NULL;
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

static void list_calls(struct pl_wire_history *out)
{
    const struct pl_invocation *v = pl_harness.invocation;
    const uint32_t count = pl_harness.count;
    uint32_t called = 0, returned = 0;
    _Static_assert((int)PL_CHECK_OPERATIONS == PL_GRAPH_CALLS, "the same limits");
    for (uint32_t i = 0; i < count; i++, v++) {
        made.call[i] = (struct pl_graph_call){.call = v->call,
                                              .ret = v->ret,
                                              .thread = v->thread,
                                              .called = v->called,
                                              .returned = v->returned,
                                              .zero = v->zero};
        called |= (uint32_t)v->called << i;
        returned |= (uint32_t)v->returned << i;
    }
    out->called = called;
    out->returned = returned;
}

/* All but what hand_over() says. */
static void describe(struct pl_wire_history *out, enum pl_history_kind kind)
{
    const struct pl_harness *h = &pl_harness;
    out->kind = (uint8_t)kind;
    out->clients = PL_CLIENTS_NONE;
    out->operations = (uint8_t)h->count;
    out->vector = PL_CHECK_VECTORS;
    out->key = PL_CHECK_KEYS;
    out->ran = 0;
    list_calls(out);
    if (kind == PL_HISTORY_SERIAL) {
        out->ran = (uint8_t)h->running;
        memcpy(out->order, h->ran, h->running);
        return;
    }
    pl_answers_find(&made.answers);
    memcpy(out->order, made.answers.number, h->count);
}

/* That of the options; its name is looked up when it is another one. */
static const struct pl_model *model(void)
{
    static char name[sizeof rt.options->explore];
    static const struct pl_model *named;
    if (!named || memcmp(name, rt.options->explore, sizeof name) != 0) {
        memcpy(name, rt.options->explore, sizeof name);
        named = pl_model_named(name);
    }
    return named;
}

static bool is_sc(void)
{
    return model() == &pl_model_sc;
}

/* What the graph says of its clients, but for C3; under sc that is an order. */
static void project(void)
{
    pl_graph_clients_begin(pl_model_graph(), model(), made.call, pl_harness.count, &made.clients);
    made.head.clients = is_sc() ? PL_CLIENTS_NONE : PL_CLIENTS_EXACT; /* as far as is known */
}

/* The operations, of these, whose call happens before the return of j: not under sc, `order` is
 * happens-before. */
static uint32_t passed_of(uint32_t j, uint32_t among)
{
    uint32_t passed = 0;
    if (!made.head.clients)
        return pl_graph_passed(pl_model_graph(), made.call, j, among);
    for (; among; among &= among - 1) {
        unsigned i = (unsigned)__builtin_ctz(among);
        passed |= (uint32_t)(made.clients.order[2 * j + 1] >> 2 * i & 1) << i;
    }
    return passed;
}

static void find_passed(void)
{
    for (uint32_t j = 0; j < made.head.operations; j++)
        made.passed[j] = passed_of(j, (uint32_t)(((uint64_t)1 << made.head.operations) - 1));
}

/* Is everything published that has to be, as far as it is known? That is a matter of the answers,
 * which the tool looks at once. */
static bool is_published(void)
{
    if (rt.options->check.publication == PL_PUBLICATION_OFF)
        return true;
    if (rt.options->check.publication == PL_PUBLICATION_BY_PAIRS) {
        const uint32_t *bringers = pl_told_bringers(&made.answers);
        for (uint32_t j = 0; j < made.head.operations && bringers; j++)
            if (bringers[j] && !passed_of(j, bringers[j]))
                return false;
        return bringers != NULL;
    }
    const uint32_t *needed = pl_told_needed(&made.answers);
    for (uint32_t j = 0; j < made.head.operations && needed; j++)
        if (passed_of(j, needed[j]) != needed[j])
            return false;
    return needed != NULL;
}

/* C3. Is there anything in it that tells histories apart? */
static bool complete(void)
{
    bool any = made.head.clients && pl_graph_clients_end(&made.clients);
    if (any && !made.clients.exact)
        made.head.clients = PL_CLIENTS_ASK;
    return any;
}

static uint32_t add_bytes(uint8_t *record, uint32_t used, const void *from, size_t bytes)
{
    memcpy(record + used, from, bytes);
    return used + (uint32_t)bytes;
}

/* Where operations took effect, by the marks that were passed, or could have. */
static void find_effects(void)
{
    static struct pl_effect given[PL_CHECK_CANDIDATES];
    static struct pl_graph_effect effect[PL_CHECK_CANDIDATES];
    static struct pl_graph_effect_order order[PL_CHECK_CANDIDATES];
    const struct pl_harness *h = &pl_harness;
    uint64_t count = h->effects, reach[2 * PL_CHECK_OPERATIONS];
    bool sc = is_sc();
    if (rt.options->check.infer)
        count = pl_effects_candidates(given);
    else
        memcpy(given, h->effect, h->effects * sizeof *given);
    for (uint32_t k = 0; k < count; k++)
        effect[k] = (struct pl_graph_effect){.thread = given[k].thread, .event = given[k].event};
    pl_graph_effects(pl_model_graph(), sc, made.call, h->count, effect, (unsigned)count, order,
                     sc ? NULL : reach);
    uint32_t used = add_bytes(made.effect, 0, &count, sizeof count);
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
        used = add_bytes(made.effect, used, &e, sizeof e);
    }
    if (!sc)
        used = add_bytes(made.effect, used, reach, 2 * h->count * sizeof *reach);
    made.effect_bytes = used;
}

static uint32_t add_answers(uint8_t *to, uint32_t used)
{
    const struct pl_harness *h = &pl_harness;
    for (uint32_t i = 0; i < h->count; i++)
        if (h->invocation[i].returned) {
            to[used++] = (uint8_t)h->invocation[i].bytes;
            used = add_bytes(to, used, h->invocation[i].response, h->invocation[i].bytes);
        }
    return used;
}

static uint32_t answer_bytes(void)
{
    uint32_t bytes = 0;
    for (uint32_t i = 0; i < pl_harness.count; i++)
        bytes += 1u + pl_harness.invocation[i].bytes;
    return bytes;
}

/* Of a record at most. */
static uint32_t record_bytes(void)
{
    size_t of_each = 6 * sizeof(uint64_t) + 2 * sizeof(uint32_t);
    return (uint32_t)(sizeof made.head + made.head.operations * of_each) + made.effect_bytes +
           answer_bytes();
}

/* Behind the head, all that the tool reads of it (result/wire.h) but for the graph. */
static uint32_t write_record(uint8_t *record)
{
    const struct pl_clients *c = &made.clients;
    size_t rows = 2 * made.head.operations * sizeof *c->order,
           sets = made.head.operations * sizeof(uint32_t);
    uint32_t used = sizeof made.head;
    used = add_bytes(record, used, c->order, rows);
    if (made.head.clients) {
        used = add_bytes(record, used, c->cause, rows);
        used = add_bytes(record, used, c->global, rows);
        used = add_bytes(record, used, c->barred, sets);
    }
    if (rt.options->check.publication) {
        find_passed();
        used = add_bytes(record, used, made.passed, sets);
    }
    used = add_bytes(record, used, made.effect, made.effect_bytes);
    return add_answers(record, used);
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

/* What is sent, what is stored, and what shows it again: at the end of the ring. */
static void hand_over(void)
{
    struct pl_wire_history *head = &made.head;
    uint32_t asked = head->clients == PL_CLIENTS_ASK ? store_graph() : 0;
    uint32_t most = pl_model_outline_bytes(); /* more than a script has */
    uint8_t *to = room_for((record_bytes() + asked + most + 7) & ~7u);
    if (!to)
        return;
    uint32_t used = write_record(to);
    memcpy(to + used, stored, asked);
    head->stored = asked;
    head->graph = pl_model_outline(to + used + asked, most, &head->prefix);
    head->outlined = head->graph != 0;
    head->late = (uint8_t)rt.self->id;
    if (head->kind != PL_HISTORY_SERIAL)
        head->vector = pl_answers_vector(&made.answers);
    if (!head->outlined)
        head->graph = pl_model_save(to + used + asked, most);
    head->bytes = (used + asked + head->graph + 7) & ~7u;
    head->execution = rt.execution;
    head->distinct = rt.wire->distinct;
    head->executions = rt.wire->executions + (head->kind == PL_HISTORY_WHOLE);
    head->blocked = rt.wire->blocked + (head->kind == PL_HISTORY_STUCK);
    memcpy(to, head, sizeof *head);
    __atomic_store_n(&rt.wire->sent, rt.wire->sent + head->bytes, __ATOMIC_RELEASE);
    if (rt.options->check.lines == PL_LINES_IN_STEP && head->kind != PL_HISTORY_SERIAL)
        (void)wait_until(rt.wire->sent);
}

/* ---- those that were there ---- */

/* Rows of points, in half the bytes if they fit: every one, or those of returns. */
static uint32_t add_rows(uint8_t *to, uint32_t used, const uint64_t *row, uint32_t rows, bool all)
{
    typedef uint32_t half __attribute__((aligned(1), may_alias));
    half *out = (half *)(to + used);
    uint32_t first = all ? 0 : 1, each = all ? 1 : 2, count = 0;
    if (rows > 32) {
        for (uint32_t i = first; i < rows; i += each, used += 8)
            memcpy(to + used, &row[i], sizeof *row);
        return used;
    }
    if (all)
        for (uint32_t i = 0; i < rows; i++)
            out[count++] = (uint32_t)row[i];
    else
        for (uint32_t i = 1; i < rows; i += 2)
            out[count++] = (uint32_t)row[i];
    return used + 4 * count;
}

/* Sets of operations, likewise. */
static uint32_t add_sets(uint8_t *to, uint32_t used, const uint32_t *set, uint32_t sets)
{
    typedef uint16_t half __attribute__((aligned(1), may_alias));
    half *out = (half *)(to + used);
    if (sets > 16)
        return add_bytes(to, used, set, sets * sizeof *set);
    for (uint32_t i = 0; i < sets; i++)
        out[i] = (uint16_t)set[i];
    return used + 2 * sets;
}

/* Do the rows of calls follow from those of returns? They do if threads make nothing between two
 * calls, and nothing is before the first: `inner` are the operations that are not the first. */
static bool follow_from_returns(const uint64_t *row, uint32_t rows, uint32_t inner)
{
    uint64_t other = row[0];
    for (uint32_t p = 2; p < rows; p += 2) {
        uint64_t usual = row[p - 1] | (uint64_t)1 << (p - 1);
        other |= row[p] ^ (usual & -(uint64_t)(inner >> p / 2 & 1));
    }
    return !other;
}

static bool are_same(const uint64_t *a, const uint64_t *b, uint32_t rows)
{
    uint64_t differ = 0;
    for (uint32_t i = 0; i < rows; i++)
        differ |= a[i] ^ b[i];
    return !differ;
}

/* The operations that come after another one of their thread in the list, of those that were
 * called: of others the thread is not known. */
static uint32_t inner_operations(void)
{
    const struct pl_graph_call *c = made.call;
    const uint32_t called = made.head.called & made.head.called << 1;
    uint32_t inner = 0;
    for (uint32_t i = 1; i < made.head.operations; i++)
        inner |= (uint32_t)(c[i].thread == c[i - 1].thread) << i;
    return inner & called;
}

enum {
    HAS_CLIENTS = 1 << 8,
    HAS_GLOBAL = 1 << 9,
    HAS_NUMBERS = 1 << 10, /* of answers */
    HAS_CALLS = 1 << 11,   /* rows of calls; otherwise they follow from the others */
    HAS_CAUSE = 1 << 12,   /* otherwise it is as `order` */
    HAS_SOME = 1 << 13,    /* not all were called and have returned */
    HAS_BARRED = 1 << 14,
    HAS_PASSED = 1 << 15
};

/* Of a history that is not serial; `inner` as above. */
static uint32_t parts_of_key(uint32_t inner, uint32_t asked)
{
    const struct pl_wire_history *head = &made.head;
    const struct pl_clients *c = &made.clients;
    const uint32_t rows = 2 * head->operations;
    const uint32_t all = (uint32_t)(((uint64_t)1 << head->operations) - 1);
    uint32_t barred = 0;
    for (uint32_t i = 0; i < head->operations && head->clients; i++)
        barred |= c->barred[i];
    bool cause = head->clients && !are_same(c->order, c->cause, rows);
    bool calls = !follow_from_returns(c->order, rows, inner) ||
                 (cause && !follow_from_returns(c->cause, rows, inner));
    return asked | (head->clients ? HAS_CLIENTS : 0u) | (made.answers.numbered ? HAS_NUMBERS : 0u) |
           (calls ? HAS_CALLS : 0u) | (cause ? HAS_CAUSE : 0u) | (barred ? HAS_BARRED : 0u) |
           ((head->called & head->returned) != all ? HAS_SOME : 0u);
}

static uint32_t add_clients(uint8_t *key, uint32_t length, uint32_t parts)
{
    const struct pl_clients *c = &made.clients;
    const uint32_t count = made.head.operations;
    length = add_rows(key, length, c->order, 2 * count, parts & HAS_CALLS);
    if (parts & HAS_CAUSE)
        length = add_rows(key, length, c->cause, 2 * count, parts & HAS_CALLS);
    if (parts & HAS_BARRED)
        length = add_sets(key, length, c->barred, count);
    if (parts & HAS_GLOBAL)
        length = add_rows(key, length, c->global, 2 * count, false);
    if (parts & HAS_PASSED)
        length = add_sets(key, length, made.passed, count);
    return add_bytes(key, length, made.effect, made.effect_bytes);
}

/*
 * What tells the history from others, in few bytes: where most histories are new, a large part of
 * what they cost is that memory. The first words say what follows, and so does what varies in
 * length, so that all could be told again from the key, and zeroes at its end change nothing.
 */
static uint32_t write_key(uint8_t *key, uint32_t asked)
{
    const struct pl_wire_history *head = &made.head;
    bool serial = head->kind == PL_HISTORY_SERIAL;
    const uint32_t inner = serial ? 0 : inner_operations();
    const uint32_t parts = serial ? HAS_SOME : parts_of_key(inner, asked);
    const uint32_t first[4] = {head->kind | parts, inner, head->called, head->returned};
    memcpy(key, first, sizeof first);
    uint32_t length = parts & HAS_SOME ? sizeof first : 2 * sizeof *first;
    if (serial) {
        length = add_bytes(key, length, &head->ran, 1);
        length = add_bytes(key, length, head->order, head->ran);
    } else {
        length = add_clients(key, length, parts);
    }
    if (parts & HAS_NUMBERS) { /* copied at its greatest length, which is known: that is faster */
        memcpy(key + length, made.answers.number, sizeof made.answers.number);
        length += head->operations;
    } else {
        length = add_answers(key, length);
    }
    memset(key + length, 0, PL_KEY_WORD);
    return (length + PL_KEY_WORD - 1u) & ~(PL_KEY_WORD - 1u);
}

/* asked: what the key has besides, HAS_GLOBAL or HAS_PASSED. */
static enum pl_given find(enum pl_given_table table, uint32_t asked, uint32_t *entry)
{
    static uint8_t key[4 * sizeof(uint32_t) + sizeof made.clients + sizeof made.passed +
                       sizeof made.effect + PL_CHECK_OPERATIONS * (PL_CHECK_RESPONSE + 1u) +
                       PL_KEY_WORD];
    return pl_given_find(table, key, write_key(key, asked), entry);
}

/* Without `global`: with it fewer clients are possible (graph/line.h). */
static bool is_explained(void)
{
    struct pl_line_order order = {.operations = made.head.operations,
                                  .order = made.clients.order,
                                  .cause = made.head.clients ? made.clients.cause : NULL,
                                  .closed = model() == &pl_model_rc11,
                                  .barred = made.clients.barred};
    return made.head.kind == PL_HISTORY_WHOLE && pl_explains(&order, &made.answers);
}

/* Is something published, or not, that the key does not tell, and that has to be looked at? Not
 * under sc, the key has what happens before returns: `order`. */
static bool is_open(bool lines)
{
    return rt.options->check.publication && !made.head.clients &&
           made.head.kind != PL_HISTORY_SERIAL && !(lines && is_published());
}

/* Is it sent? Not if it is known; not if it is explained, or one was sent that differs in a
 * `global` that says nothing: then more clients are possible. Of those that differ only in that,
 * the tool looks at the first without it, and mostly that is enough. */
static bool is_needed(void)
{
    bool lines = rt.options->check.lines, any = !lines && complete();
    uint32_t entry = 0, other;
    enum pl_given known = made.head.clients == PL_CLIENTS_ASK
                              ? PL_GIVEN_NOT
                              : find(PL_GIVEN_HISTORIES, any ? HAS_GLOBAL : 0, &entry);
    made.head.key = pl_given_number(entry);
    rt.wire->distinct += known == PL_GIVEN_NOT && made.head.kind != PL_HISTORY_SERIAL;
    if (is_open(lines)) {
        find_passed();
        return find(PL_GIVEN_VARIANTS, HAS_PASSED, &other) == PL_GIVEN_NOT;
    }
    if (!lines || known == PL_GIVEN_SETTLED || (known == PL_GIVEN && !made.head.clients))
        return known == PL_GIVEN_NOT;
    if (known == PL_GIVEN && pl_told_settled(made.head.key)) {
        pl_given_settle(entry);
        return false;
    }
    if ((!made.head.clients || is_published()) && is_explained()) {
        pl_given_settle(entry);
        rt.wire->explained += known == PL_GIVEN_NOT;
        return false;
    }
    if (!complete()) {
        pl_given_settle(entry);
        return true;
    }
    return made.head.clients == PL_CLIENTS_ASK ||
           find(PL_GIVEN_VARIANTS, HAS_GLOBAL, &other) == PL_GIVEN_NOT;
}

void pl_harness_give(enum pl_history_kind kind)
{
    if (!stored)
        stored = pl_map(GRAPH_ROOM);
    describe(&made.head, kind);
    made.effect_bytes = 0;
    if ((rt.options->check.points || rt.options->check.infer) && kind != PL_HISTORY_SERIAL)
        find_effects();
    if (kind == PL_HISTORY_SERIAL)
        memset(&made.clients, 0, sizeof made.clients);
    else
        project();
    bool asked_for = rt.options->check.mode == PL_CHECK_SEQUENCES; /* of another test, perhaps */
    if (asked_for || is_needed())
        hand_over();
}
