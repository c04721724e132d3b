/*
 * Atomic operations and fences under the explorer; see model.c.
 */
#include <string.h>

#include "runtime/atomic.h"
#include "runtime/finding.h"
#include "runtime/helping.h"
#include "runtime/left_out.h"
#include "runtime/model_internal.h"
#include "runtime/symmetry.h"
#include "runtime/wide.h"

static uint64_t native(uint64_t address, unsigned size)
{
    uint64_t value = 0;
    if (pl_unlikely(size > 8)) {
        pl_wide wide;
        memcpy(&wide, (const void *)address, sizeof wide);
        return pl_wide_number(wide);
    }
    memcpy(&value, (const void *)address, size);
    return value;
}

/* A record that was initialised anew stays in its chain, as a mark: address 0, mask64 the
 * address it had. */
static void end_record(struct pl_sync *s)
{
    s->mask64 = s->address;
    s->address = 0;
}

void pl_model_initialise(struct pl_cell *c, uint8_t mask)
{
    for (uint32_t i = c->sync; i; i = pl_sync_at(i)->next) {
        struct pl_sync *s = pl_sync_at(i);
        if (!pl_sync_is_atomic(s) || !s->address || !(s->mask & mask))
            continue;
        if (s->kind == PL_SYNC_WIDE)
            end_record(pl_atomic_other_half(s));
        end_record(s);
    }
}

static uint64_t life_of(uint64_t address)
{
    const struct pl_cell *c = pl_cell_of(address);
    uint64_t life = c->life;
    for (uint32_t i = c->sync; i; i = pl_sync_at(i)->next)
        life += pl_sync_at(i)->address == 0 && pl_sync_at(i)->mask64 == address;
    return life & 0x7fff;
}

static struct pl_trust_access access_of(uint64_t address, unsigned size, unsigned order)
{
    uint64_t life = life_of(address);
    return (struct pl_trust_access){.thread = rt.self->id,
                                    .key = address | life << 48,
                                    .initial = native(address, size),
                                    .size = size,
                                    .order = order};
}

void pl_model_refresh(struct pl_trust_access *a)
{
    uint64_t address = a->key << 16 >> 16;
    a->key = address | life_of(address) << 48;
    a->initial = native(address, a->size);
}

static struct pl_sync *start(uint64_t address, unsigned size, uint64_t pc)
{
    return pl_atomic_begin(address, size, pc);
}

static void to_memory(uint64_t address, unsigned size, uint64_t value)
{
    rt.last_change = rt.steps;
    if (!pl_trust_is_latest(pl_model.explorer, rt.self->id))
        return;
    switch (size) {
    case 1:
        *(uint8_t *)address = (uint8_t)value;
        break;
    case 2:
        *(uint16_t *)address = (uint16_t)value;
        break;
    case 4:
        *(uint32_t *)address = (uint32_t)value;
        break;
    case 8:
        *(uint64_t *)address = value;
        break;
    default: {
        pl_wide wide = pl_wide_value(value);
        memcpy((void *)address, &wide, sizeof wide);
    }
    }
}

static void write_through(uint64_t address, unsigned size, uint64_t value, uint64_t pc)
{
    pl_out_update(address, size);
    to_memory(address, size, value);
    if (pl_unlikely(pl_await_written(address)))
        pl_point(pc);
}

/* Which event of the trace a write is, so that a read can name it. */
static uint32_t number_of[PL_GRAPH_THREADS][PL_GRAPH_LENGTH];

static void trace(enum pl_event_kind kind, uint64_t address, unsigned size, unsigned order,
                  uint64_t value, uint64_t value2, uint64_t pc)
{
    if (pl_likely(!rt.tracing))
        return;
    if (size > 8) { /* the low half is shown */
        value = (uint64_t)pl_wide_value(value);
        value2 = (uint64_t)pl_wide_value(value2);
    }
    pl_trace_slow(kind, (const void *)address, size, (enum pl_memory_order)order, value, value2,
                  PL_EVENT_F_VALUE, pc);
    const struct pl_node *n = pl_trust_last(pl_model.explorer, rt.self->id), *read = n;
    if (n->kind == PL_GRAPH_WRITE) {
        number_of[n->self.thread][n->self.index] = pl_trace_count();
        read = n->flags & PL_GRAPH_F_RMW ? n - 1 : NULL;
    }
    struct pl_ref later = PL_INIT;
    if (n == read || !read)
        later = pl_trust_overwriter(pl_model.explorer, n->location, read ? read->rf : n->self);
    struct pl_ref of = read ? read->rf : later;
    if (read || !pl_is_init(later))
        pl_trace_set_from(pl_is_init(of) ? 0 : number_of[of.thread][of.index], !pl_is_init(later));
}

/* The read takes the value from before every write, which malloc left undefined. The shadow
 * cannot tell: in this run a write may have come first. */
static void check_initial(const struct pl_sync *s, uint64_t pc)
{
    const struct pl_node *n = pl_trust_last(pl_model.explorer, rt.self->id);
    if (pl_likely(!s->extra[0]))
        return;
    if (!pl_is_init(n->kind == PL_GRAPH_WRITE ? n[-1].rf : n->rf))
        return;
    struct pl_found f = {.kind = PL_FINDING_UNINITIALISED_READ,
                         .flags = PL_FINDING_F_ATOMIC,
                         .address = s->address,
                         .size = (uint64_t)__builtin_popcount(s->mask),
                         .pc = pc};
    struct pl_block_info block;
    if (pl_heap_block(s->address, &block))
        f.block = block.start;
    pl_find(&f);
}

static void see_load(struct pl_sync *s, unsigned size, unsigned order, uint64_t value, uint64_t pc)
{
    trace(PL_EVENT_LOAD, s->address, size, order, value, 0, pc);
    check_initial(s, pc);
    pl_atomic_touch(s, true, false, pc);
}

/* In a loop that may wait. */
__attribute__((noinline)) static uint64_t await_load(uint64_t address, unsigned size,
                                                     unsigned order,
                                                     const struct pl_trust_pair *pair, uint64_t pc)
{
    struct pl_awaiting w;
    uint64_t value;
    do {
        struct pl_trust_access a = access_of(address, size, order);
        a.undefined = pl_atomic_record(address, size, pc)->extra[0];
        a.flags = pair ? PL_GRAPH_F_PAIR : 0;
        a.pair = pair;
        if (pl_await(&w, &a, &value, pc))
            return value;
        value = pl_trust_read(pl_model.explorer, &a);
        see_load(pl_atomic_record(address, size, pc), size, order, value, pc);
    } while (pl_await_stands(&w, value, pc));
    pl_model_after(pc);
    return value;
}

uint64_t pl_model_load(uint64_t address, unsigned size, unsigned order, uint64_t pc)
{
    struct pl_sync *s = start(address, size, pc);
    const bool between = pl_loops_in_pair(); /* then nobody else goes first (explore/pairs.c, P4) */
    struct pl_trust_pair announced;
    const struct pl_trust_pair *pair = pl_loops_take_pair(address, &announced) ? &announced : NULL;
    if (pl_unlikely(!between && pl_await_applies()))
        return await_load(address, size, order, pair, pc);
    const struct pl_node *n =
        pl_trust_repeat(pl_model.explorer, rt.self->id, PL_GRAPH_READ, address, 0);
    uint64_t value;
    if (pl_likely(n != NULL)) {
        value = n->value;
    } else {
        struct pl_trust_access a = access_of(address, size, order);
        a.undefined = s->extra[0];
        a.flags = pair ? PL_GRAPH_F_PAIR : 0;
        a.pair = pair;
        value = pl_trust_read(pl_model.explorer, &a);
    }
    see_load(s, size, order, value, pc);
    pl_model_after(pc);
    return value;
}

void pl_model_store(uint64_t address, unsigned size, unsigned order, uint64_t value, uint64_t pc)
{
    struct pl_sync *s = start(address, size, pc);
    bool dead = pl_loops_take_dead(address);
    if (pl_unlikely(!pl_loops_in_pair() && pl_await_be_late(address, pc)))
        s = pl_atomic_record(address, size, pc);
    pl_symmetry_value(value);
    if (pl_unlikely(
            !pl_trust_repeat(pl_model.explorer, rt.self->id, PL_GRAPH_WRITE, address, value))) {
        struct pl_trust_access a = access_of(address, size, order);
        a.flags = dead ? PL_GRAPH_F_DEAD : 0;
        pl_trust_write(pl_model.explorer, &a, value);
    }
    trace(PL_EVENT_STORE, address, size, order, value, 0, pc);
    pl_atomic_touch(s, false, true, pc);
    pl_model_after(pc);
    write_through(address, size, value, pc);
}

/* With another value than the expected one it fails for a reason, and that is explored anyway. */
static uint64_t fail_for_no_reason(uint64_t address, unsigned size, const struct pl_model_update *u,
                                   bool *ok, uint64_t pc)
{
    bool paired;
    (void)pl_loops_take_unseen(address); /* not of the next */
    (void)pl_loops_take_retry(address, size, &paired);
    uint64_t found = pl_model_load(address, size, u->order_fail, pc);
    if (found != u->expected)
        pl_stop();
    *ok = false;
    return found;
}

static struct pl_trust_access update_of(uint64_t address, unsigned size,
                                        const struct pl_model_update *u, uint64_t unseen,
                                        unsigned retries, unsigned helps)
{
    static const enum pl_graph_op ops[PL_EVENT_COUNT] = {
        [PL_EVENT_EXCHANGE] = PL_OP_EXCHANGE, [PL_EVENT_FETCH_ADD] = PL_OP_ADD,
        [PL_EVENT_FETCH_SUB] = PL_OP_SUB,     [PL_EVENT_FETCH_AND] = PL_OP_AND,
        [PL_EVENT_FETCH_OR] = PL_OP_OR,       [PL_EVENT_FETCH_XOR] = PL_OP_XOR,
        [PL_EVENT_FETCH_NAND] = PL_OP_NAND,   [PL_EVENT_CAS_OK] = PL_OP_CAS,
    };
    struct pl_trust_access a = access_of(address, size, u->order);
    a.order_fail = u->order_fail;
    a.op = ops[u->kind];
    a.operand = u->operand;
    a.expected = u->expected;
    a.unseen = unseen;
    a.retries = retries;
    a.flags = helps & PL_HELP_OWN ? PL_GRAPH_F_OWN : 0;
    return a;
}

static void see_update(struct pl_sync *s, unsigned size, const struct pl_model_update *u, bool ok,
                       uint64_t old, uint64_t new, uint64_t pc)
{
    trace(ok ? u->kind : PL_EVENT_CAS_FAIL, s->address, size, ok ? u->order : u->order_fail, old,
          new, pc);
    check_initial(s, pc);
    pl_atomic_touch(s, true, ok, pc);
}

static void update_made(uint64_t address, unsigned size, bool ok, uint64_t new, uint64_t pc)
{
    pl_model_after(pc);
    if (ok)
        write_through(address, size, new, pc);
}

/* In a loop that may wait. Between the halves the thread may stand still. */
__attribute__((noinline)) static uint64_t await_update(uint64_t address, unsigned size,
                                                       const struct pl_model_update *u,
                                                       uint64_t unseen, unsigned retries,
                                                       unsigned helps, bool *ok, uint64_t pc)
{
    struct pl_awaiting w;
    struct pl_trust_access a;
    uint64_t value;
    do {
        a = update_of(address, size, u, unseen, retries, helps);
        a.undefined = pl_atomic_record(address, size, pc)->extra[0];
        if (pl_await(&w, &a, &value, pc)) {
            *ok = u->kind != PL_EVENT_CAS_OK || value == u->expected;
            return value;
        }
        const struct pl_node *read = pl_trust_update_read(pl_model.explorer, &a);
        value = read ? read->value : 0;
        if (pl_await_is_idle(&w, value)) /* what it would write is what is there */
            see_update(pl_atomic_record(address, size, pc), size, u,
                       u->kind != PL_EVENT_CAS_OK || value == u->expected, value, value, pc);
    } while (pl_await_stands(&w, value, pc));
    *ok = !pl_trust_failure(pl_model.explorer) && pl_trust_update_write(pl_model.explorer, &a);
    uint64_t new = *ok ? pl_trust_last(pl_model.explorer, rt.self->id)->value : u->operand;
    see_update(pl_atomic_record(address, size, pc), size, u, *ok, value, new, pc);
    update_made(address, size, *ok, new, pc);
    return value;
}

/* In a trial (loops.h). */
PL_COLD static uint64_t try_update(uint64_t address, unsigned size, const struct pl_model_update *u,
                                   bool *ok)
{
    if (size > 8 || u->weak)
        pl_loops_end_trial();
    struct pl_trust_access a = update_of(address, size, u, pl_loops_take_unseen(address), 0, 0);
    uint64_t value = pl_loops_try_update(&a);
    *ok = u->kind != PL_EVENT_CAS_OK || value == u->expected;
    return value;
}

PL_COLD static bool leaves_to_others(uint64_t address, unsigned size,
                                     const struct pl_model_update *u, uint64_t pc)
{
    struct pl_trust_access a = update_of(address, size, u, 0, 0, 0);
    return pl_helping_leaves(&a, pc);
}

/* The compare-exchange is announced as one half of a pair (explore/pairs.c). Is it, though its
 * failing would end a round in which something has changed, or could race? */
PL_COLD static bool goes_with_load(unsigned retries, unsigned helps)
{
    struct pl_trust *x = pl_model.explorer;
    if (!pl_trust_is_fresh(x, rt.self->id))
        return true; /* it was asked before */
    bool pairs = retries && !helps && !pl_out_may_race(retries - 1);
    if (!pairs)
        pl_trust_pair_not(x);
    return pairs;
}

uint64_t pl_model_update(uint64_t address, unsigned size, const struct pl_model_update *u, bool *ok,
                         uint64_t pc)
{
    unsigned helps = pl_unlikely(pl_helping_said) ? pl_helping_take(address) : 0;
    if (pl_unlikely(pl_loops_trying()))
        return try_update(address, size, u, ok);
    if (size > 8 && u->kind != PL_EVENT_CAS_OK && u->kind != PL_EVENT_EXCHANGE)
        pl_unsupported("of atomics of 16 bytes, arithmetic is not explored", pc);
    if (u->weak && rt.options->spurious && pl_model_choose(2, pc) == 1)
        return fail_for_no_reason(address, size, u, ok, pc);
    if (pl_unlikely(helps & PL_HELP_OWN))
        pl_trust_intend(pl_model.explorer, &(struct pl_trust_access){.thread = rt.self->id,
                                                                     .key = address,
                                                                     .size = size,
                                                                     .order = u->order,
                                                                     .expected = u->expected,
                                                                     .operand = u->operand});
    struct pl_sync *s = start(address, size, pc);
    uint64_t unseen = pl_loops_take_unseen(address);
    bool paired;
    unsigned retries = pl_loops_take_retry(address, size, &paired);
    paired = pl_unlikely(paired) && goes_with_load(retries, helps);
    if (pl_unlikely(helps & PL_HELP_LENT) && leaves_to_others(address, size, u, pc))
        s = pl_atomic_record(address, size, pc);
    if (!paired && pl_unlikely(pl_await_applies()))
        return await_update(address, size, u, unseen, retries, helps, ok, pc);
    if (pl_unlikely(!paired && pl_await_be_late(address, pc)))
        s = pl_atomic_record(address, size, pc);
    const struct pl_node *n =
        pl_trust_repeat(pl_model.explorer, rt.self->id, PL_GRAPH_READ, address, 0);
    uint64_t old;
    if (pl_likely(n != NULL)) {
        *ok = n->kind == PL_GRAPH_WRITE;
        old = *ok ? n[-1].value : n->value;
    } else {
        struct pl_trust_access a = update_of(address, size, u, unseen, retries, helps);
        a.undefined = s->extra[0];
        a.flags |= paired ? PL_GRAPH_F_PAIR : 0;
        old = pl_trust_update(pl_model.explorer, &a, ok);
        if (pl_unlikely(pl_trust_is_over(pl_model.explorer)))
            pl_leave();
    }
    uint64_t new = *ok ? pl_trust_last(pl_model.explorer, rt.self->id)->value : u->operand;
    see_update(s, size, u, *ok, old, new, pc);
    update_made(address, size, *ok, new, pc);
    return old;
}

void pl_model_fence(unsigned order, uint64_t pc)
{
    if (pl_unlikely(pl_loops_trying()))
        return; /* it tells the thread nothing */
    pl_point(pc);
    pl_trust_fence(pl_model.explorer, rt.self->id, order);
    pl_model_after(pc);
}
