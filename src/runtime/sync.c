/*
 * The records of atomics and modelled objects: one per address and execution,
 * found through the shadow cell of the address, taken from a pool that a reset
 * empties by moving one index back.
 */
#include "runtime/clock.h"
#include "runtime/shadow.h"

enum { POOL_BYTES = 1 << 30, HEADER = 192 }; /* address space; touched pages only count */

static uint8_t *pool;
static uint32_t used = 1; /* in units of 64 bytes, as chains name records; 0 ends a chain */

_Static_assert(sizeof(struct pl_sync) <= HEADER, "the clocks follow the header");

static uint32_t record_units(void)
{
    return (uint32_t)(HEADER + 5 * rt.width * sizeof(pl_tick) + 63) / 64;
}

void pl_sync_init(void)
{
    pool = pl_map(POOL_BYTES);
}

void pl_sync_reset(void)
{
    used = 1;
}

struct pl_sync *pl_sync_at(uint32_t index)
{
    return (struct pl_sync *)(pool + (size_t)index * 64);
}

struct pl_sync *pl_sync_new(enum pl_sync_kind kind, struct pl_cell *c, uint64_t address)
{
    if (((size_t)used + record_units()) * 64 > POOL_BYTES)
        pl_unsupported("more atomics and locks in one execution than there is room for", rt.pc);
    uint32_t index = used, width = rt.width;
    used += record_units();
    struct pl_sync *s = pl_sync_at(index);
    *s = (struct pl_sync){.next = c->sync, .kind = (uint8_t)kind, .address = address};
    pl_tick *ticks = (pl_tick *)((uint8_t *)s + HEADER);
    s->release = ticks;
    s->read = ticks + width;
    s->written = ticks + 2 * width;
    s->read_pc = (uint32_t *)(ticks + 3 * width);
    s->written_pc = (uint32_t *)(ticks + 4 * width);
    for (uint32_t i = 0; i < 3 * width; i += 4)
        *(pl_ticks *)(ticks + i) = (pl_ticks){0};
    c->sync = index;
    return s;
}

struct pl_sync *pl_sync_find(enum pl_sync_kind kind, const void *object)
{
    uint64_t address = (uint64_t)object;
    if (!pl_shadowed(address))
        return NULL;
    struct pl_cell *c = pl_cell_of(address);
    pl_cell_refresh(c, address);
    for (uint32_t i = c->sync; i; i = pl_sync_at(i)->next)
        if (pl_sync_at(i)->address == address && pl_sync_at(i)->kind == kind)
            return pl_sync_at(i);
    return NULL;
}

struct pl_sync *pl_sync_object(enum pl_sync_kind kind, const void *object, uint64_t pc, bool *fresh)
{
    uint64_t address = (uint64_t)object;
    if (!pl_shadowed(address)) { /* a null or wild pointer: fault as the real function would */
        rt.pc = pc;
        (void)*(const volatile char *)object;
        pl_unsupported("a lock or other object lies in memory the runtime does not know", pc);
    }
    pl_check_valid(address, 1, true, pc);
    struct pl_sync *s = pl_sync_find(kind, object);
    bool made = s == NULL;
    if (made)
        s = pl_sync_new(kind, pl_cell_of(address), address);
    if (fresh)
        *fresh = made;
    return s;
}

void pl_sync_drop(struct pl_sync *object)
{
    object->address = 0; /* still in the chain, never found again */
}
