/*
 * Atomic accesses, as the compiler's hooks and others of the runtime make them.
 * The value is read or written by the caller between pl_atomic_begin and the next
 * scheduling point: nothing can come between.
 */
#ifndef PL_RUNTIME_ATOMIC_H
#define PL_RUNTIME_ATOMIC_H

#include "runtime/clock.h"
#include "runtime/shadow.h"

/* Of a record, in flags: RELEASED: `release` is not empty; OVERLAPS: another atomic of this
 * granule shares bytes with it (accesses of mixed sizes). A reader then synchronises with the
 * releases of all: perhaps one too many, never one too few. */
enum { PL_ATOMIC_OVERLAPS = 1, PL_ATOMIC_RELEASED = 2 };

static inline bool pl_order_acquires(unsigned order)
{
    return order == PL_ORDER_CONSUME || order == PL_ORDER_ACQUIRE || order >= PL_ORDER_ACQ_REL;
}

static inline bool pl_order_releases(unsigned order)
{
    return order >= PL_ORDER_RELEASE;
}

/* Scheduling point, validity of the memory, the record of the location. */
struct pl_sync *pl_atomic_begin(uint64_t address, unsigned size, uint64_t pc);
/* The effects on happens-before; race checks against plain accesses. */
void pl_atomic_read(struct pl_sync *s, unsigned size, unsigned order, uint64_t pc);
void pl_atomic_write(struct pl_sync *s, unsigned size, unsigned order, uint64_t pc);
void pl_atomic_update(struct pl_sync *s, unsigned size, unsigned order, uint64_t pc);
/* Only the race checks: what happens before what is the explorer's. */
void pl_atomic_touch(struct pl_sync *s, bool read, bool write, uint64_t pc);
struct pl_sync *pl_atomic_other_half(const struct pl_sync *s); /* of 16 bytes, while exploring */
void pl_atomic_fence(unsigned order, uint64_t pc);
void pl_atomic_reset(void); /* at the start of an execution */
/* A volatile access: relaxed, done by the subject's own instruction afterwards. */
void pl_atomic_volatile(uint64_t address, unsigned size, bool write, uint64_t pc);

/* The plain access to `expected` that a compare-exchange makes inside the runtime (access.c). One
 * to the thread's own stack is nobody else's: the usual case, and free. */
void pl_expected_elsewhere(uint64_t address, unsigned size, bool write, uint64_t pc);
static inline void pl_expected_access(const void *expected, unsigned size, bool write, uint64_t pc)
{
    uint64_t address = (uint64_t)expected;
    uint64_t stack = PL_STACKS + rt.self->id * (uint64_t)PL_STACK_STRIDE;
    if (pl_unlikely(address - stack >= PL_STACK_STRIDE))
        pl_expected_elsewhere(address, size, write, pc);
}

/* ---- the same inline, for at most 8 bytes: what is rare is a call ---- */

struct pl_sync *pl_atomic_record(uint64_t address, unsigned size, uint64_t pc); /* no point */
void pl_atomic_check_plain(struct pl_sync *s, bool write, bool read, uint64_t pc);
void pl_atomic_acquire(struct pl_sync *s, unsigned order);
void pl_atomic_save_head(struct pl_sync *s);
void pl_atomic_relaxed_store(struct pl_sync *s);

PL_INLINE struct pl_sync *pl_atomic_begin_inline(uint64_t address, unsigned size, uint64_t pc)
{
    pl_point(pc);
    /* A record that is found is of valid memory: free takes it away. */
    const struct pl_cell *c = pl_cell_of(address);
    if (pl_likely(c->generation == rt.generation && c->sync)) {
        struct pl_sync *s = pl_sync_at(c->sync);
        uint8_t mask = (uint8_t)((0xffu >> (8 - size)) << (address & 7));
        if (pl_likely(s->address == address && s->mask == mask && s->kind == PL_SYNC_ATOMIC))
            return s;
    }
    return pl_atomic_record(address, size, pc);
}

/* Plain accesses to the bytes are none, or one that neither conflicts nor is unordered. */
PL_INLINE void pl_atomic_check_inline(struct pl_sync *s, bool write, bool read, uint64_t pc)
{
    const struct pl_cell *c = pl_cell_of(s->address);
    if (pl_likely(!(c->count | c->undefined | c->more)))
        return;
    const struct pl_entry *e = &c->entry[0];
    if (pl_unlikely(c->count != 1 || c->undefined || c->more || !pl_ordered(e->epoch)))
        pl_atomic_check_plain(s, write, read, pc);
}

PL_INLINE void pl_atomic_acquire_inline(struct pl_sync *s, unsigned order)
{
    if (!(s->flags & (PL_ATOMIC_RELEASED | PL_ATOMIC_OVERLAPS)))
        return; /* nothing was ever released here */
    if (pl_likely(pl_order_acquires(order) && !(s->flags & PL_ATOMIC_OVERLAPS)))
        pl_clock_join_inline(rt.self->clock, s->release);
    else
        pl_atomic_acquire(s, order);
}

PL_INLINE void pl_atomic_read_inline(struct pl_sync *s, unsigned order, uint64_t pc)
{
    const struct pl_thread *t = rt.self;
    pl_atomic_check_inline(s, false, true, pc);
    pl_atomic_acquire_inline(s, order);
    PL_SYNC_READ(s)[t->id] = t->clock[t->id];
    PL_SYNC_READ_PC(s)[t->id] = (uint32_t)pc;
}

PL_INLINE void pl_atomic_write_inline(struct pl_sync *s, unsigned order, uint64_t pc)
{
    const struct pl_thread *t = rt.self;
    pl_atomic_check_inline(s, true, false, pc);
    PL_SYNC_WRITTEN(s)[t->id] = t->clock[t->id];
    PL_SYNC_WRITTEN_PC(s)[t->id] = (uint32_t)pc;
    if (pl_order_releases(order)) {
        s->flags |= PL_ATOMIC_RELEASED;
        if (s->release_thread && s->release_thread != (int32_t)t->id + 1)
            pl_atomic_save_head(s);
        s->release_thread = (int32_t)t->id + 1;
        pl_release_to_inline(s->release);
    } else if (t->has_release_fence | (s->flags & PL_ATOMIC_RELEASED)) {
        pl_atomic_relaxed_store(s);
    }
}

PL_INLINE void pl_atomic_update_inline(struct pl_sync *s, unsigned order, uint64_t pc)
{
    const struct pl_thread *t = rt.self;
    pl_atomic_check_inline(s, true, true, pc);
    pl_atomic_acquire_inline(s, order);
    PL_SYNC_READ(s)[t->id] = PL_SYNC_WRITTEN(s)[t->id] = t->clock[t->id];
    PL_SYNC_READ_PC(s)[t->id] = PL_SYNC_WRITTEN_PC(s)[t->id] = (uint32_t)pc;
    if (pl_unlikely(t->has_release_fence)) {
        s->flags |= PL_ATOMIC_RELEASED;
        pl_clock_join(s->release, t->release_fence);
    }
    if (pl_order_releases(order)) {
        s->flags |= PL_ATOMIC_RELEASED;
        /* Heads: the old one keeps its own sequence; this write heads one, too. */
        if (s->release_thread && s->release_thread != (int32_t)t->id + 1)
            pl_atomic_save_head(s);
        s->release_thread = (int32_t)t->id + 1;
        pl_release_join_inline(s->release);
    }
}

#endif
