/*
 * Races and heap errors, exactly, byte by byte: see shadow.h for the cell.
 *
 * Two accesses conflict when they share a byte, one writes, and not both are
 * atomic. A new access replaces an older entry on the bytes it covers if the older
 * one happens before it and everything that would conflict with the older one
 * conflicts with the new one too (a write replaces all; a read replaces reads):
 * then a later access unordered with the older is unordered with the newer.
 */
#include "runtime/shadow.h"

#include "runtime/helping.h"
#include "runtime/left_out.h"
#include "runtime/model.h"
#include "runtime/station.h"

struct more {
    struct pl_entry entry;
    uint32_t next;
};
enum { MORE_MAX = 1 << 24 };
static struct more *more;
static uint32_t more_used PL_STATE = 1;
struct pl_cell *pl_cells[PL_CELLS];

uint64_t pl_heap_base_end = PL_HEAP;

void pl_shadow_init(void)
{
    more = pl_map((size_t)MORE_MAX * sizeof *more);
}

void pl_shadow_reset(void)
{
    more_used = 1;
    pl_bits_reset();
    if (pl_unlikely(++rt.generation == 0)) /* 2^32 executions: 0 is what untouched cells hold */
        pl_unsupported("more than four billion executions in one process", 0);
}

void pl_shadow_keep(void)
{
    if (more_used > 1)
        pl_keep(&more[1], (more_used - 1) * sizeof *more);
    pl_bits_keep();
}

/* ---- what is found ---- */

static uint64_t first_byte(uint64_t address, uint8_t mask)
{
    return (address & ~(uint64_t)7) + (unsigned)__builtin_ctz(mask);
}

/* A concurrent conflicting access: a race, or, where one side is malloc or free, a
 * use of memory that is not ordered after its malloc. Returns if suppressed. */
PL_COLD static void report_race(const struct pl_entry *e, uint64_t address, uint8_t mask,
                                uint32_t flags, uint64_t pc)
{
    struct pl_found f = {
        .kind = e->kind == PL_ENTRY_MALLOC ? PL_FINDING_USE_AFTER_FREE : PL_FINDING_DATA_RACE,
        .flags = flags | (e->kind != PL_ENTRY_READ ? PL_FINDING_F_OTHER_WRITE : 0) |
                 (e->kind == PL_ENTRY_MALLOC ? PL_FINDING_F_UNORDERED : 0),
        .address = first_byte(address, mask),
        .size = (uint64_t)__builtin_popcount(mask),
        .pc = pc,
        .other_pc = pl_whole_pc(e->pc),
        .other_thread = e->epoch >> PL_TICK_BITS,
    };
    struct pl_block_info block;
    if (pl_heap_block(f.address, &block))
        f.block = block.start;
    pl_find(&f);
}

PL_COLD static void report_atomic_race(struct pl_sync *s, uint32_t thread, bool by_write,
                                       uint64_t address, uint8_t mask, uint32_t flags, uint64_t pc)
{
    struct pl_found f = {
        .kind = PL_FINDING_DATA_RACE,
        .flags = flags | PL_FINDING_F_OTHER_ATOMIC | (by_write ? PL_FINDING_F_OTHER_WRITE : 0),
        .address = first_byte(address, mask),
        .size = (uint64_t)__builtin_popcount(mask),
        .pc = pc,
        .other_pc =
            pl_whole_pc(by_write ? PL_SYNC_WRITTEN_PC(s)[thread] : PL_SYNC_READ_PC(s)[thread]),
        .other_thread = thread,
    };
    pl_find(&f);
}

PL_COLD static void report_invalid(uint64_t address, uint8_t mask, bool write, uint64_t pc)
{
    struct pl_found f = {
        .kind = PL_FINDING_OUT_OF_BOUNDS,
        .flags = write ? PL_FINDING_F_WRITE : 0,
        .address = first_byte(address, mask),
        .size = (uint64_t)__builtin_popcount(mask),
        .pc = pc,
    };
    struct pl_block_info block;
    if (pl_heap_block(f.address, &block)) {
        f.block = block.start;
        if (block.freed)
            f.kind = PL_FINDING_USE_AFTER_FREE;
    }
    pl_find(&f);
}

uint8_t pl_really_undefined(struct pl_cell *c, uint64_t address, uint8_t mask)
{
    uint8_t undefined = c->undefined & mask;
    struct pl_block_info block;
    if (pl_unlikely(pl_bits_count))
        undefined = pl_bits_whole(address, undefined);
    if (!pl_in_heap(address) || pl_pool_block(address, &block))
        return undefined; /* of the subject's own pool: its content is its own */
    const uint8_t *granule = (const uint8_t *)(address & ~(uint64_t)7);
    for (unsigned i = 0; i < 8; i++)
        if ((undefined >> i & 1) && granule[i] != PL_FRESH) {
            c->undefined &= (uint8_t)~undefined; /* written unseen: all of what was read */
            return 0;
        }
    return undefined;
}

PL_COLD void pl_find_undefined(uint64_t address, uint64_t size, uint64_t pc)
{
    struct pl_found f = {
        .kind = PL_FINDING_UNINITIALISED_READ,
        .address = address,
        .size = size,
        .pc = pc,
    };
    struct pl_block_info block;
    if (pl_heap_block(f.address, &block))
        f.block = block.start;
    pl_find(&f);
}

PL_COLD static void report_undefined(struct pl_cell *c, uint64_t address, uint8_t mask, uint64_t pc)
{
    /* A read of some undefined and some defined bytes is the copy of a struct with padding,
     * which compilers make of ordinary loads; nobody sets half a number. */
    if (pl_really_undefined(c, address, mask) == mask)
        pl_find_undefined(first_byte(address, mask), (uint64_t)__builtin_popcount(mask), pc);
}

/* ---- entries ---- */

static bool same_thread(const struct pl_entry *e)
{
    return e->epoch >> PL_TICK_BITS == rt.self->id;
}

/* One older entry against a new access: finds a race, or shrinks the entry where the
 * new access replaces it. Returns whether anything is left of it. */
static bool meet(struct pl_entry *e, uint64_t address, uint8_t mask, bool write, uint64_t pc)
{
    uint8_t shared = e->mask & mask;
    if (!shared)
        return true;
    bool ordered = same_thread(e) || pl_ordered(e->epoch);
    if (!ordered && (write || e->kind != PL_ENTRY_READ)) {
        report_race(e, address, shared, write ? PL_FINDING_F_WRITE : 0, pc);
        ordered = true; /* suppressed: go on as if it were in order */
    }
    if (ordered && (write || e->kind == PL_ENTRY_READ))
        e->mask &= (uint8_t)~mask;
    return e->mask != 0;
}

static struct pl_entry *add_entry(struct pl_cell *c)
{
    if (c->count < 4)
        return &c->entry[c->count++];
    if (more_used == MORE_MAX)
        pl_unsupported("more unordered reads in one execution than there is room for", rt.pc);
    more[more_used].next = c->more;
    c->more = more_used;
    return &more[more_used++].entry;
}

/* A plain access against the atomic accesses to the same bytes. */
static void meet_atomics(struct pl_cell *c, uint64_t address, uint8_t mask, bool write, uint64_t pc)
{
    for (uint32_t i = c->sync; i; i = pl_sync_at(i)->next) {
        struct pl_sync *s = pl_sync_at(i);
        if (!pl_sync_is_atomic(s) || !(s->mask & mask))
            continue;
        const pl_tick *clock = rt.self->clock;
        if (pl_unlikely(pl_helping_on)) /* what it had before it was initialised anew */
            pl_helping_plain(pl_atomic_place(s));
        for (uint32_t t = 0; t < rt.nthreads; t++) {
            if (t == rt.self->id)
                continue;
            uint32_t flags = write ? PL_FINDING_F_WRITE : 0;
            if (PL_SYNC_WRITTEN(s)[t] > clock[t])
                report_atomic_race(s, t, true, address, s->mask & mask, flags, pc);
            else if (write && PL_SYNC_READ(s)[t] > clock[t])
                report_atomic_race(s, t, false, address, s->mask & mask, flags, pc);
        }
    }
}

__attribute__((noinline)) static void record_plain(struct pl_cell *c, uint64_t address,
                                                   uint8_t mask, bool write, uint64_t pc)
{
    uint8_t kept = 0;
    for (uint8_t i = 0; i < c->count; i++)
        if (meet(&c->entry[i], address, mask, write, pc))
            c->entry[kept++] = c->entry[i];
    c->count = kept;
    for (uint32_t *link = &c->more; *link;) {
        if (meet(&more[*link].entry, address, mask, write, pc))
            link = &more[*link].next;
        else
            *link = more[*link].next;
    }
    if (c->sync)
        meet_atomics(c, address, mask, write, pc);
    pl_entry_set(add_entry(c), mask, write ? PL_ENTRY_WRITE : PL_ENTRY_READ, pc);
}

/* What most granules need that are accessed again: one or two entries before, all ordered. The
 * same as record_plain would do. False: the general way. */
static inline bool record_simple(struct pl_cell *c, uint8_t mask, bool write, uint64_t pc)
{
    struct pl_entry *first = &c->entry[0], *second = &c->entry[1];
    enum pl_entry_kind kind = write ? PL_ENTRY_WRITE : PL_ENTRY_READ;
    if (c->sync | c->more || c->count > 2 || (c->count && !pl_ordered(first->epoch)))
        return false;
    if (c->count == 1) {
        if (write || first->kind == PL_ENTRY_READ)
            first->mask &= (uint8_t)~mask;
        c->count = 1 + (first->mask != 0);
        pl_entry_set(first->mask ? second : first, mask, kind, pc);
        return true;
    }
    if (c->count == 2 &&
        (!write || (first->mask | second->mask) & ~mask || !pl_ordered(second->epoch)))
        return false;
    c->count = 1;
    pl_entry_set(first, mask, kind, pc);
    return true;
}

PL_HOT void pl_granule_access_slow(struct pl_cell *c, uint64_t address, uint8_t mask, bool write,
                                   uint64_t pc)
{
    pl_cell_refresh(c, address);
    if (pl_unlikely(rt.exploring && write && c->sync))
        pl_model_initialise(c, mask);
    if (pl_unlikely(rt.self->loose))
        pl_out_plain(c, mask, address, write);
    if (pl_unlikely(rt.exploring)) {
        if (write)
            pl_out_store(c, mask, address,
                         (c->undefined & mask) == mask &&
                             (pl_likely(!pl_bits_count) || pl_bits_whole(address, mask) == mask));
        else
            pl_out_read(c, mask);
    }
    if (pl_unlikely(mask & ~c->valid))
        report_invalid(address, (uint8_t)(mask & ~c->valid), write, pc);
    if (write)
        c->undefined &= (uint8_t)~mask;
    else if (pl_unlikely(c->undefined & mask))
        report_undefined(c, address, mask, pc);
    if (rt.races != PL_RACES_REPORT)
        return;
    /* The first rule again, for the entries that are not the newest. */
    for (uint8_t i = 0; i < c->count; i++) {
        const struct pl_entry *e = &c->entry[i];
        if (e->epoch == rt.self->epoch && !(mask & ~e->mask) && e->kind >= write &&
            e->kind != PL_ENTRY_MALLOC)
            return;
    }
    rt.wire->heartbeat++; /* something new: work, though no step */
    if (!record_simple(c, mask, write, pc))
        record_plain(c, address, mask, write, pc);
}

void pl_atomic_conflicts(struct pl_cell *c, uint64_t address, uint8_t mask, bool write, uint64_t pc)
{
    for (uint8_t i = 0; i < c->count; i++) {
        struct pl_entry *e = &c->entry[i];
        if ((e->mask & mask) && (write || e->kind != PL_ENTRY_READ) && !pl_ordered(e->epoch) &&
            !same_thread(e))
            report_race(e, address, e->mask & mask,
                        PL_FINDING_F_ATOMIC | (write ? PL_FINDING_F_WRITE : 0), pc);
    }
    for (uint32_t i = c->more; i; i = more[i].next) {
        struct pl_entry *e = &more[i].entry;
        if ((e->mask & mask) && (write || e->kind != PL_ENTRY_READ) && !pl_ordered(e->epoch) &&
            !same_thread(e))
            report_race(e, address, e->mask & mask,
                        PL_FINDING_F_ATOMIC | (write ? PL_FINDING_F_WRITE : 0), pc);
    }
}

/* ---- validity, malloc, free ---- */

static uint8_t granule_mask(uint64_t address, uint64_t end)
{
    unsigned low = (unsigned)(address & 7);
    uint64_t in_granule = (address & ~(uint64_t)7) + 8;
    unsigned high = end >= in_granule ? 8 : (unsigned)(end & 7);
    return (uint8_t)((0xffu << low) & (0xffu >> (8 - high)));
}

void pl_check_valid(uint64_t address, uint64_t size, bool write, uint64_t pc)
{
    for (uint64_t a = address, end = address + size; a < end; a = (a & ~(uint64_t)7) + 8) {
        struct pl_cell *c = pl_cell_of(a);
        pl_cell_refresh(c, a);
        uint8_t bad = (uint8_t)(granule_mask(a, end) & ~c->valid);
        if (pl_unlikely(bad))
            report_invalid(a, bad, write, pc);
    }
}

void pl_shadow_malloc(uint64_t address, uint64_t size, bool defined, bool ordered, uint64_t pc)
{
    uint8_t count = ordered && rt.races == PL_RACES_REPORT;
    if (pl_unlikely(pl_bits_count))
        pl_bits_forget(address, size);
    for (uint64_t a = address, end = address + size; a < end; a += 8) {
        struct pl_cell *c = pl_cell_of(a);
        uint8_t mask = granule_mask(a, end);
        pl_cell_refresh(c, a);
        c->sync = 0;
        c->head[1] = pl_cell_bytes(count, mask, defined ? 0 : mask) | (c->head[1] & PL_CELL_LIFE);
        pl_entry_set(&c->entry[0], mask, PL_ENTRY_MALLOC, pc);
    }
}

void pl_shadow_live(uint64_t address, uint64_t size, uint8_t life)
{
    for (uint64_t a = address; a < address + size; a += 8)
        pl_cell_of(a)->life = life;
}

/* An access by `thread` that is not ordered before this free could as well come after it. */
PL_COLD static void report_unordered_free(uint64_t address, uint8_t mask, uint32_t thread,
                                          uint64_t other_pc, uint32_t flags, uint64_t pc)
{
    struct pl_found f = {
        .kind = PL_FINDING_USE_AFTER_FREE,
        .flags = flags | PL_FINDING_F_UNORDERED | PL_FINDING_F_WRITE,
        .address = first_byte(address, mask),
        .size = (uint64_t)__builtin_popcount(mask),
        .pc = pc,
        .other_pc = other_pc,
        .other_thread = thread,
    };
    struct pl_block_info block;
    if (pl_heap_block(f.address, &block))
        f.block = block.start;
    pl_find(&f);
}

static void free_meets_entry(const struct pl_entry *e, uint64_t address, uint64_t pc)
{
    if (!same_thread(e) && !pl_ordered(e->epoch))
        report_unordered_free(address, e->mask, e->epoch >> PL_TICK_BITS, pl_whole_pc(e->pc),
                              e->kind == PL_ENTRY_READ ? 0 : PL_FINDING_F_OTHER_WRITE, pc);
}

static void free_meets_atomics(const struct pl_cell *c, uint64_t address, uint64_t pc)
{
    for (uint32_t i = c->sync; i; i = pl_sync_at(i)->next) {
        struct pl_sync *s = pl_sync_at(i);
        if (!pl_sync_is_atomic(s) || !s->mask)
            continue;
        for (uint32_t t = 0; t < rt.nthreads; t++) {
            if (t == rt.self->id)
                continue;
            if (PL_SYNC_WRITTEN(s)[t] > rt.self->clock[t])
                report_unordered_free(address, s->mask, t, pl_whole_pc(PL_SYNC_WRITTEN_PC(s)[t]),
                                      PL_FINDING_F_OTHER_ATOMIC | PL_FINDING_F_OTHER_WRITE, pc);
            else if (PL_SYNC_READ(s)[t] > rt.self->clock[t])
                report_unordered_free(address, s->mask, t, pl_whole_pc(PL_SYNC_READ_PC(s)[t]),
                                      PL_FINDING_F_OTHER_ATOMIC, pc);
        }
    }
}

void pl_shadow_free(uint64_t address, uint64_t size, bool ordered, uint64_t pc)
{
    for (uint64_t a = address, end = address + size; a < end; a += 8) {
        struct pl_cell *c = pl_cell_of(a);
        pl_cell_refresh(c, a);
        if (ordered && rt.races == PL_RACES_REPORT) {
            for (uint8_t i = 0; i < c->count; i++)
                free_meets_entry(&c->entry[i], a, pc);
            for (uint32_t i = c->more; i; i = more[i].next)
                free_meets_entry(&more[i].entry, a, pc);
            free_meets_atomics(c, a, pc);
            if (pl_unlikely(rt.self->loose))
                pl_out_plain(c, 0xff, a, true);
            if (pl_unlikely(rt.exploring))
                pl_out_store(c, 0xff, a, false);
        }
        c->sync = 0;
        c->head[1] &= PL_CELL_LIFE;
    }
}
