/*
 * The shadow: for each 8 bytes of the subject's memory (a granule) one cell of 64
 * bytes that remembers who accessed them and whether they are valid.
 *
 *   address, low 36 bits ──× 8──▶ cell { generation, chain of sync records,
 *                                        valid, undefined (bit per byte), life,
 *                                        up to 4 entries inline, the rest in a list }
 *
 * Exact FastTrack: per byte, the last write and every read since that is not
 * ordered before another read. An entry stands for the bytes of its mask.
 *
 * Invariants:
 * I1  A cell of another generation is as if empty: valid everywhere, except in the
 *     heap, where only malloc makes bytes valid.
 * I2  Two entries of the same thread and kind never share a byte.
 * I3  Accesses by atomic operations are not entries: the sync record of the
 *     location has one tick per thread for reads and one for writes.
 */
#ifndef PL_RUNTIME_SHADOW_H
#define PL_RUNTIME_SHADOW_H

#include "runtime/rt.h"

#define PL_SHADOW       0x200000000000u
#define PL_SHADOW_BYTES 0x8000000000u /* 2^36 / 8 cells of 64 bytes, mapped without reserve */
#define PL_SYNC_POOL    (PL_SHADOW + 2 * (uint64_t)PL_SHADOW_BYTES) /* sync.c */

enum pl_entry_kind { PL_ENTRY_READ, PL_ENTRY_WRITE, PL_ENTRY_MALLOC };

struct pl_entry {
    uint32_t epoch; /* thread << PL_TICK_BITS | tick */
    uint32_t pc;    /* low half of the code address */
    union {
        struct {
            uint8_t mask; /* bytes of the granule */
            uint8_t kind; /* enum pl_entry_kind */
            uint16_t pad;
        };
        uint32_t bytes; /* the three in one store */
    };
};

/* What a plain access of the running thread leaves. */
static inline void pl_entry_set(struct pl_entry *e, uint8_t mask, enum pl_entry_kind kind,
                                uint64_t pc)
{
    e->epoch = rt.self->epoch;
    e->pc = (uint32_t)pc;
    e->bytes = mask | (uint32_t)kind << 8;
}

struct pl_cell {
    union {
        struct {
            uint32_t generation;
            uint32_t sync; /* first sync record, 0 = none */
            uint32_t more; /* entries beyond the inline ones: index into the pool, 0 = none */
            uint8_t count; /* inline entries */
            uint8_t valid, undefined;
            uint8_t life; /* tells an address's different lives in one execution apart */
        };
        uint64_t head[2]; /* all of the above, for two tests and two stores: see pl_plain_access */
    };
    struct pl_entry entry[4];
};
#define PL_CELL_LIFE 0xff00000000000000u /* where it is in the second half of the head */
/* The rest of that half, without `more`. */
static inline uint64_t pl_cell_bytes(uint8_t count, uint8_t valid, uint8_t undefined)
{
    return (uint64_t)count << 32 | (uint64_t)valid << 40 | (uint64_t)undefined << 48;
}

static inline struct pl_cell *pl_cell_of(uint64_t address)
{
    return (struct pl_cell *)(PL_SHADOW + ((address & 0xffffffff8u) << 3));
}

/* Is the address in one of the three windows that have a shadow? */
static inline bool pl_shadowed(uint64_t address)
{
    uint64_t high = address >> 36;
    return high == PL_WINDOW >> 36 || (high == 0 && address >= 4096) || high == 0x7ff;
}

static inline bool pl_in_heap(uint64_t address)
{
    return address - PL_HEAP < PL_HEAP_END - PL_HEAP;
}

extern uint64_t pl_heap_base_end; /* heap below this was there before main: always valid */

/* The cells that were touched in this execution, for stations: so many at most. */
enum { PL_CELLS = 1 << 14 };
extern struct pl_cell *pl_cells[PL_CELLS];
static inline void pl_cell_touched(struct pl_cell *c)
{
    if (pl_likely(!rt.exploring))
        return;
    if (rt.cells < PL_CELLS)
        pl_cells[rt.cells++] = c;
    else
        rt.unkept = true;
}

static inline void pl_cell_refresh(struct pl_cell *c, uint64_t address)
{
    if (pl_likely(c->generation == rt.generation))
        return;
    pl_cell_touched(c);
    c->head[0] = rt.generation;
    c->head[1] = pl_cell_bytes(0, pl_in_heap(address) && address >= pl_heap_base_end ? 0 : 0xff, 0);
}

static inline bool pl_ordered(uint32_t epoch)
{
    return (pl_tick)(epoch & PL_TICK_MASK) <= rt.self->clock[epoch >> PL_TICK_BITS];
}

/* The whole code address from its low half: the program is below 4 GiB, libraries at the top. */
static inline uint64_t pl_whole_pc(uint32_t low)
{
    return low < rt.program_end ? low : 0x7fff00000000u + low;
}

void pl_shadow_init(void);
void pl_shadow_reset(void);
void pl_shadow_keep(void); /* station.h: what the cells have beyond them */
/* The fresh bytes of a malloc hold this. Code that is not instrumented (a library) may write
 * them unseen; then they do not hold it any more, and the read is not of undefined bytes. */
enum { PL_FRESH = 0xa5 };
/* Bytes of mask in the granule at `address` that nobody has written since their malloc. */
uint8_t pl_really_undefined(struct pl_cell *c, uint64_t address, uint8_t mask);
void pl_find_undefined(uint64_t address, uint64_t size, uint64_t pc); /* finds it: a read of them */

/* bits.c: bytes of which only some bits are undefined. They stay in `undefined` of their cell. */
extern uint32_t pl_bits_count; /* so many granules have some */
/* Which of these undefined bytes are undefined as a whole? */
uint8_t pl_bits_whole(uint64_t address, uint8_t undefined);
void pl_bits_forget(uint64_t address, uint64_t size); /* a malloc: all is undefined, or nothing */
void pl_bits_reset(void);
void pl_bits_keep(void); /* station.h */

/* One plain access within one granule; mask is not 0. */
void pl_granule_access_slow(struct pl_cell *c, uint64_t address, uint8_t mask, bool write,
                            uint64_t pc);
static inline void pl_granule_access(struct pl_cell *c, uint64_t address, uint8_t mask, bool write,
                                     uint64_t pc)
{
    /* Same epoch, same bytes, at least as strong as the newest entry: nothing new (FastTrack's
     * first rule). The bytes were valid and written then, and only a free or malloc, which
     * clears the entries, could have changed that. */
    const struct pl_entry *e = &c->entry[(c->count - 1) & 3];
    if (pl_likely(c->generation == rt.generation && c->count && e->epoch == rt.self->epoch &&
                  !(mask & ~e->mask) && e->kind >= write && e->kind != PL_ENTRY_MALLOC &&
                  !(c->undefined & mask)))
        return;
    pl_granule_access_slow(c, address, mask, write, pc);
}
/* An access of the instrumented code to 1, 2, 4 or 8 aligned bytes. Inline is what most are: the
 * first to the granule in this execution, a repetition in the same epoch, or one that replaces
 * the only entry. */
PL_INLINE void pl_plain_access(uint64_t address, uint8_t mask, bool write, uint64_t pc)
{
    if (pl_unlikely(!pl_shadowed(address)))
        return; /* not ours: a wild access faults by itself */
    struct pl_cell *c = pl_cell_of(address);
    struct pl_entry *e = &c->entry[0];
    uint32_t epoch = rt.self->epoch;
    if (pl_likely(c->head[0] == rt.generation && c->head[1] == pl_cell_bytes(1, 0xff, 0))) {
        if (e->epoch == epoch && !(mask & ~e->mask) &&
            (write ? e->kind == PL_ENTRY_WRITE : e->kind <= PL_ENTRY_WRITE))
            return;
        if (!(e->mask & ~mask) && (write || e->kind == PL_ENTRY_READ) && pl_ordered(e->epoch)) {
            pl_entry_set(e, mask, write ? PL_ENTRY_WRITE : PL_ENTRY_READ, pc);
            return;
        }
    } else if (c->generation != rt.generation && !pl_in_heap(address)) {
        rt.wire->heartbeat++; /* something new: work, though no step */
        pl_cell_touched(c);
        c->head[0] = rt.generation;
        c->head[1] = pl_cell_bytes(1, 0xff, 0);
        pl_entry_set(e, mask, write ? PL_ENTRY_WRITE : PL_ENTRY_READ, pc);
        return;
    }
    pl_granule_access_slow(c, address, mask, write, pc);
}
/* malloc and free of [address, address + size): address is 16-byte aligned. */
/* ordered: accesses must be ordered after the malloc, before the free */
void pl_shadow_malloc(uint64_t address, uint64_t size, bool defined, bool ordered, uint64_t pc);
void pl_shadow_live(uint64_t address, uint64_t size, uint8_t life); /* after a malloc */
void pl_shadow_free(uint64_t address, uint64_t size, bool ordered, uint64_t pc);
/* Before an access of size bytes: all valid? Finds use after free or out of bounds. */
void pl_check_valid(uint64_t address, uint64_t size, bool write, uint64_t pc);
/* An atomic access: against the plain entries of the bytes. */
void pl_atomic_conflicts(struct pl_cell *c, uint64_t address, uint8_t mask, bool write,
                         uint64_t pc);

/* sync.c */
void pl_sync_init(void);
void pl_sync_reset(void);
void pl_sync_keep(void); /* station.h */
static inline struct pl_sync *pl_sync_at(uint32_t index)
{
    return (struct pl_sync *)(PL_SYNC_POOL + (uint64_t)index * 64);
}
/* Of an atomic access? */
static inline bool pl_sync_is_atomic(const struct pl_sync *s)
{
    return s->kind == PL_SYNC_ATOMIC || s->kind == PL_SYNC_WIDE;
}
/* Where such a record is, or was before the memory was initialised anew (model_atomic.c). */
static inline uint64_t pl_atomic_place(const struct pl_sync *s)
{
    return s->address ? s->address : s->mask64;
}
struct pl_sync *pl_sync_new(enum pl_sync_kind kind, struct pl_cell *c, uint64_t address);
void pl_clock_reset(void);

#endif
