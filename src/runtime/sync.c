/*
 * The records of atomics and modelled objects: one per address and execution,
 * found through the shadow cell of the address, taken from a pool that a reset
 * empties by moving one index back.
 */
#include <sys/mman.h>

#include "runtime/clock.h"
#include "runtime/shadow.h"
#include "runtime/station.h"

enum { POOL_BYTES = 1 << 30 }; /* of address space; touched pages only count */

static uint32_t used PL_STATE =
    1; /* in units of 64 bytes, as chains name records; 0 ends a chain */

static uint32_t record_units(void)
{
    return (uint32_t)(sizeof(struct pl_sync) + 5 * rt.width * sizeof(pl_tick) + 63) / 64;
}

void pl_sync_init(void)
{
    void *records = (void *)PL_SYNC_POOL;
    if (mmap(records, POOL_BYTES, PROT_READ | PROT_WRITE,
             MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED_NOREPLACE | MAP_NORESERVE, -1, 0) != records)
        pl_unsupported("the records of atomics do not get their fixed address", 0);
}

void pl_sync_reset(void)
{
    used = 1;
}

void pl_sync_keep(void)
{
    pl_keep(pl_sync_at(1), (used - 1) * (size_t)64);
}

struct pl_sync *pl_sync_new(enum pl_sync_kind kind, struct pl_cell *c, uint64_t address)
{
    uint32_t index = used;
    used += record_units();
    if (pl_unlikely((size_t)used * 64 > POOL_BYTES))
        pl_unsupported("more atomics and locks in one execution than there is room for", rt.pc);
    struct pl_sync *s = pl_sync_at(index);
    *s = (struct pl_sync){.next = c->sync, .kind = (uint8_t)kind, .address = address};
    for (uint32_t i = 0; i < 3 * rt.width; i += 4)
        *(pl_ticks *)(s->release + i) = (pl_ticks){0};
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
    const struct pl_cell *c = pl_cell_of(address);
    if (pl_likely(c->generation == rt.generation && c->sync)) {
        struct pl_sync *known = pl_sync_at(c->sync);
        if (pl_likely(known->address == address && known->kind == kind)) {
            if (fresh)
                *fresh = false;
            return known; /* of valid memory: free takes it away */
        }
    }
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
