/*
 * Happens-before through atomics, as the declared orders say (RC11's
 * synchronises-with), while the values are those of the interleaving.
 *
 * The record of a location carries `release`: the clock an acquiring reader of its
 * present value synchronises with. It is
 *   - after a release store: the clock of the thread;
 *   - after a relaxed store: the clock of the thread's last release fence, joined
 *     with that of its own last release store to the same location (the release
 *     sequence of RC11 goes on through later stores of the same thread);
 *   - after a read-modify-write: what it was, joined with the thread's clock if it
 *     releases (the release sequence goes on through read-modify-writes).
 */
#include "runtime/atomic.h"

#include "runtime/model.h"

/* The record of these bytes of one granule. Accesses of another size at the same address have
 * a record of their own: what one wrote is not what the other covers. */
__attribute__((noinline)) static struct pl_sync *
make_record(enum pl_sync_kind kind, struct pl_cell *c, uint64_t address, uint8_t mask)
{
    struct pl_sync *s = pl_sync_new(kind, c, address);
    s->mask = mask;
    if (pl_unlikely(rt.exploring)) /* has it a first value? */
        s->extra[0] = (c->undefined & mask) && pl_really_undefined(c, address, mask) == mask;
    for (uint32_t i = s->next; i; i = pl_sync_at(i)->next) {
        struct pl_sync *other = pl_sync_at(i);
        if (!pl_sync_is_atomic(other) || !other->address || !(other->mask & mask))
            continue;
        if (rt.exploring)
            pl_unsupported(
                "atomic accesses (with --races=allow also plain ones that race) of different "
                "sizes to the same bytes are not explored",
                rt.pc);
        s->flags |= PL_ATOMIC_OVERLAPS, other->flags |= PL_ATOMIC_OVERLAPS;
    }
    return s;
}

static inline struct pl_sync *record_of(enum pl_sync_kind kind, uint64_t address, uint8_t mask)
{
    struct pl_cell *c = pl_cell_of(address);
    pl_cell_refresh(c, address);
    for (uint32_t i = c->sync; i;) {
        struct pl_sync *s = pl_sync_at(i);
        if (pl_likely(s->address == address && s->mask == mask && s->kind == kind))
            return s;
        i = s->next;
    }
    return make_record(kind, c, address, mask);
}

static uint8_t mask_of(uint64_t address, unsigned size)
{
    return (uint8_t)((size >= 8 ? 0xffu : (1u << size) - 1) << (address & 7));
}

/* Beyond 8 bytes an atomic has one record per granule; this is the one at `offset`. */
static struct pl_sync *part_of(const struct pl_sync *s, unsigned offset, unsigned size)
{
    return record_of(PL_SYNC_ATOMIC, s->address + offset,
                     mask_of(s->address + offset, size - offset));
}

/* While exploring both are of a kind of their own, for one event stands for them, and is none of an
 * access to 8 of the bytes. The first one says whether there is a first value of either. */
static struct pl_sync *wide_record(uint64_t address)
{
    struct pl_sync *second = record_of(PL_SYNC_WIDE, address + 8, 0xff),
                   *first = record_of(PL_SYNC_WIDE, address, 0xff);
    first->extra[0] |= second->extra[0];
    return first;
}

struct pl_sync *pl_atomic_other_half(const struct pl_sync *s)
{
    uint64_t address = pl_atomic_place(s) ^ 8;
    for (uint32_t i = pl_cell_of(address)->sync; i; i = pl_sync_at(i)->next)
        if (pl_sync_at(i)->kind == PL_SYNC_WIDE && pl_sync_at(i)->address == address)
            return pl_sync_at(i);
    return NULL;
}

struct pl_sync *pl_atomic_record(uint64_t address, unsigned size, uint64_t pc)
{
    if (pl_unlikely(!pl_shadowed(address))) {
        rt.pc = pc;
        (void)*(volatile char *)address; /* null or wild: fault here, as the access would */
        pl_unsupported("an atomic lies in memory the runtime does not know", pc);
    }
    struct pl_cell *c = pl_cell_of(address);
    uint8_t mask = mask_of(address, size);
    pl_cell_refresh(c, address);
    if (pl_unlikely((mask & ~c->valid) || size > 8))
        pl_check_valid(address, size, true, pc);
    if (pl_unlikely(size > 8 && rt.exploring))
        return wide_record(address);
    return record_of(PL_SYNC_ATOMIC, address, mask);
}

struct pl_sync *pl_atomic_begin(uint64_t address, unsigned size, uint64_t pc)
{
    pl_point(pc);
    return pl_atomic_record(address, size, pc);
}

/* Races with plain accesses, and reads of undefined bytes. */
void pl_atomic_check_plain(struct pl_sync *s, bool write, bool read, uint64_t pc)
{
    struct pl_cell *c = pl_cell_of(s->address);
    uint8_t mask = s->mask;
    if (rt.races == PL_RACES_REPORT && (c->count | c->more))
        pl_atomic_conflicts(c, s->address, mask, write, pc);
    if (read && pl_unlikely(c->undefined & mask) &&
        pl_really_undefined(c, s->address, mask) == mask) {
        struct pl_found f = {.kind = PL_FINDING_UNINITIALISED_READ,
                             .flags = PL_FINDING_F_ATOMIC,
                             .address = s->address,
                             .size = (uint64_t)__builtin_popcount(mask),
                             .pc = pc};
        struct pl_block_info block;
        if (pl_heap_block(s->address, &block))
            f.block = block.start;
        pl_find(&f);
    }
    if (write)
        c->undefined &= (uint8_t)~mask;
}

void pl_atomic_acquire(struct pl_sync *s, unsigned order)
{
    struct pl_thread *t = rt.self;
    pl_tick *to = pl_order_acquires(order) ? t->clock : t->acquire_pending;
    if (to != t->clock && !t->has_acquire_pending) {
        t->has_acquire_pending = 1;
        pl_clock_zero(to);
    }
    pl_clock_join_inline(to, s->release);
    if (pl_unlikely(s->flags & PL_ATOMIC_OVERLAPS)) /* a count read as one half of a word, … */
        for (uint32_t i = pl_cell_of(s->address)->sync; i; i = pl_sync_at(i)->next)
            if (pl_sync_is_atomic(pl_sync_at(i)) && (pl_sync_at(i)->mask & s->mask))
                pl_clock_join(to, pl_sync_at(i)->release);
}

void pl_atomic_read(struct pl_sync *s, unsigned size, unsigned order, uint64_t pc)
{
    pl_atomic_read_inline(s, order, pc);
    for (unsigned at = 8; pl_unlikely(at < size); at += 8)
        pl_atomic_read_inline(part_of(s, at, size), order, pc);
}

/* Another thread's store ends the release sequence in place; its head's clock is
 * kept, because a later relaxed store of that head's thread takes it up again. */
struct saved {
    uint32_t next, thread;
    pl_tick *clock;
};
enum { SAVED_MAX = 1 << 20 };
static struct saved *saved;
static uint32_t saved_used = 1;

void pl_atomic_reset(void)
{
    saved_used = 1;
}

static pl_tick *saved_clock(const struct pl_sync *s, uint32_t thread)
{
    for (uint32_t i = s->saved; i; i = saved[i].next)
        if (saved[i].thread == thread)
            return saved[i].clock;
    return NULL;
}

void pl_atomic_save_head(struct pl_sync *s)
{
    uint32_t thread = (uint32_t)s->release_thread - 1;
    pl_tick *clock = saved_clock(s, thread);
    if (!clock) {
        if (!saved)
            saved = pl_map(SAVED_MAX * sizeof *saved);
        if (saved_used == SAVED_MAX)
            pl_unsupported("more release sequences in one execution than there is room for", rt.pc);
        clock = pl_clock_new();
        saved[saved_used] = (struct saved){s->saved, thread, clock};
        s->saved = saved_used++;
    }
    pl_clock_copy(clock, s->release);
}

/* There is something to go on with, or to end. */
void pl_atomic_relaxed_store(struct pl_sync *s)
{
    struct pl_thread *t = rt.self;
    if (t->has_release_fence)
        s->flags |= PL_ATOMIC_RELEASED;
    if (s->release_thread == (int32_t)t->id + 1) { /* its own release sequence goes on */
        if (t->has_release_fence)
            pl_clock_join(s->release, t->release_fence);
        return;
    }
    const pl_tick *own = NULL;
    if (s->release_thread)
        pl_atomic_save_head(s);
    own = saved_clock(s, t->id);
    s->release_thread = own ? (int32_t)t->id + 1 : 0;
    for (uint32_t i = 0; i < rt.width; i++)
        s->release[i] = own ? own[i] : 0;
    if (t->has_release_fence)
        pl_clock_join(s->release, t->release_fence);
}

void pl_atomic_write(struct pl_sync *s, unsigned size, unsigned order, uint64_t pc)
{
    pl_atomic_write_inline(s, order, pc);
    for (unsigned at = 8; pl_unlikely(at < size); at += 8)
        pl_atomic_write_inline(part_of(s, at, size), order, pc);
}

void pl_atomic_update(struct pl_sync *s, unsigned size, unsigned order, uint64_t pc)
{
    pl_atomic_update_inline(s, order, pc);
    for (unsigned at = 8; pl_unlikely(at < size); at += 8)
        pl_atomic_update_inline(part_of(s, at, size), order, pc);
}

static inline void touch(struct pl_sync *s, bool read, bool write, uint64_t pc)
{
    struct pl_thread *t = rt.self;
    pl_atomic_check_inline(s, write, read, pc);
    if (read) {
        PL_SYNC_READ(s)[t->id] = t->clock[t->id];
        PL_SYNC_READ_PC(s)[t->id] = (uint32_t)pc;
    }
    if (write) {
        PL_SYNC_WRITTEN(s)[t->id] = t->clock[t->id];
        PL_SYNC_WRITTEN_PC(s)[t->id] = (uint32_t)pc;
    }
}

void pl_atomic_touch(struct pl_sync *s, bool read, bool write, uint64_t pc)
{
    touch(s, read, write, pc);
    if (pl_unlikely(s->kind == PL_SYNC_WIDE))
        touch(pl_atomic_other_half(s), read, write, pc);
}

void pl_atomic_fence(unsigned order, uint64_t pc)
{
    struct pl_thread *t = rt.self;
    pl_point(pc);
    if (pl_order_acquires(order) && t->has_acquire_pending)
        pl_clock_join(t->clock, t->acquire_pending);
    if (pl_order_releases(order)) {
        pl_release_to(t->release_fence);
        t->has_release_fence = 1;
    }
}

void pl_atomic_volatile(uint64_t address, unsigned size, bool write, uint64_t pc)
{
    if (!pl_shadowed(address)) {
        pl_point(pc);
        return; /* a wild access faults by itself */
    }
    if (rt.exploring) {
        pl_model_access(address, size, !write, write, pc);
        return;
    }
    struct pl_sync *s = pl_atomic_begin(address, size, pc);
    if (pl_unlikely(rt.tracing)) {
        uint64_t value = 0;
        if (!write && size <= 8)
            __builtin_memcpy(&value, (const void *)address, size);
        pl_trace_slow(write ? PL_EVENT_VOLATILE_WRITE : PL_EVENT_VOLATILE_READ,
                      (const void *)address, size, PL_ORDER_NONE, value, 0,
                      write ? 0 : PL_EVENT_F_VALUE, pc);
    }
    if (write)
        pl_atomic_write(s, size, PL_ORDER_RELAXED, pc);
    else
        pl_atomic_read(s, size, PL_ORDER_RELAXED, pc);
    rt.last_change = write ? rt.steps : rt.last_change;
}
