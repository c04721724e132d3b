/*
 * Undefined bits. The shadow knows of bytes whether they were written since their malloc; that is
 * enough until a bit-field is written, which leaves the other bits of its bytes as they were.
 *
 * The own front end (src/instrument/bits.c) says of a load which of its bits are used, before the
 * hook of the load, and of a store which bits it has put back as the load found them, after it.
 *
 *     load p           bits_used(p, 4, 0)        the hook says nothing of these bytes
 *     store p          bits_kept(p, 4, ~14)      of them these bits are undefined if they were
 *     load p >> 1 & 7  bits_used(p, 4, 14)       a finding if all of these are undefined
 *
 * Invariants:
 * I1  A bit is undefined if its byte is so in the cell and, if its granule is in the table, it is
 *     there, too. So a write of the whole byte, which changes the cell only, defines them all.
 * I2  What is not in the table for want of room is defined: an error less, no false one.
 *
 * Under --races=allow other threads may write between the load and the store: there is no
 * bits_kept then, and all bits of a byte are defined once one is.
 */
#include "runtime/shadow.h"
#include "runtime/station.h"

enum { MOST = 256 };
static struct partial {
    uint64_t granule;
    uint64_t undefined; /* bits; of the bytes that are not looked at yet all are set */
    uint8_t silent;     /* bytes whose hook is not to say that they are undefined */
} partial[MOST];
uint32_t pl_bits_count PL_STATE;

PL_EXPORT void __plumb_bits_used(const void *address, uint64_t size, uint64_t bits);
PL_EXPORT void __plumb_bits_kept(const void *address, uint64_t size, uint64_t bits);

void pl_bits_reset(void)
{
    pl_bits_count = 0;
}

void pl_bits_keep(void)
{
    if (pl_bits_count)
        pl_keep(partial, pl_bits_count * sizeof *partial);
}

static struct partial *find(uint64_t address)
{
    for (uint32_t i = 0; i < pl_bits_count; i++)
        if (partial[i].granule == (address & ~(uint64_t)7))
            return &partial[i];
    return NULL;
}

/* Those that a write of whole bytes has settled. */
static void sweep(void)
{
    for (uint32_t i = 0; i < pl_bits_count;)
        if (pl_cell_of(partial[i].granule)->undefined)
            i++;
        else
            partial[i] = partial[--pl_bits_count];
}

static struct partial *find_or_make(uint64_t address)
{
    struct partial *p = find(address);
    if (p)
        return p;
    if (pl_bits_count == MOST)
        sweep();
    if (pl_bits_count == MOST)
        return NULL;
    p = &partial[pl_bits_count++];
    *p = (struct partial){.granule = address & ~(uint64_t)7, .undefined = ~(uint64_t)0};
    return p;
}

void pl_bits_forget(uint64_t address, uint64_t size)
{
    for (uint32_t i = 0; i < pl_bits_count;)
        if (partial[i].granule - (address & ~(uint64_t)7) < size)
            partial[i] = partial[--pl_bits_count];
        else
            i++;
}

static uint8_t byte_of(const struct partial *p, unsigned place)
{
    return (uint8_t)(p->undefined >> place * 8);
}

uint8_t pl_bits_whole(uint64_t address, uint8_t undefined)
{
    const struct partial *p = undefined ? find(address) : NULL;
    for (unsigned i = 0; p && i < 8; i++)
        if ((p->silent >> i & 1) || byte_of(p, i) != 0xff)
            undefined &= (uint8_t) ~(1u << i);
    return undefined;
}

/* The undefined bits of one byte; none if they were written unseen, as in pl_really_undefined. */
static uint8_t undefined_in(uint64_t address)
{
    unsigned place = (unsigned)(address & 7);
    if (!(pl_cell_of(address)->undefined >> place & 1))
        return 0;
    const struct partial *p = find(address);
    uint8_t bits = p ? byte_of(p, place) : 0xff;
    struct pl_block_info block;
    if (!pl_in_heap(address) || pl_pool_block(address, &block))
        return bits;
    return (*(const uint8_t *)address ^ PL_FRESH) & bits ? 0 : bits;
}

static void set_undefined(uint64_t address, uint8_t bits, bool silent)
{
    unsigned place = (unsigned)(address & 7);
    struct pl_cell *c = pl_cell_of(address);
    uint8_t byte = (uint8_t)(1u << place);
    struct partial *p = bits ? find_or_make(address) : find(address);
    if (!p && !bits)
        return;
    if (!p) {
        c->undefined &= (uint8_t)~byte; /* I2 */
        return;
    }
    p->undefined = (p->undefined & ~((uint64_t)0xff << place * 8)) | (uint64_t)bits << place * 8;
    p->silent = (uint8_t)((p->silent & ~byte) | (silent ? byte : 0));
}

static bool any_undefined(uint64_t address, uint64_t size)
{
    if (!rt.active || !size || !pl_shadowed(address) || !pl_shadowed(address + size - 1))
        return false;
    const struct pl_cell *first = pl_cell_of(address), *last = pl_cell_of(address + size - 1);
    return pl_bits_count || (first->generation == rt.generation && first->undefined) ||
           (last->generation == rt.generation && last->undefined);
}

void __plumb_bits_used(const void *address, uint64_t size, uint64_t bits)
{
    uint64_t at = (uint64_t)address, undefined = 0;
    if (pl_likely(!any_undefined(at, size)))
        return;
    for (uint64_t i = 0; i < size; i++) {
        pl_cell_refresh(pl_cell_of(at + i), at + i);
        undefined |= (uint64_t)undefined_in(at + i) << i * 8;
    }
    if (bits && !(bits & ~undefined)) {
        rt.pc = PL_CALLER;
        if (rt.tracing) /* the hook, which would, comes too late */
            pl_trace_slow(PL_EVENT_READ, address, (uint32_t)size, PL_ORDER_NONE, 0, 0, 0, rt.pc);
        pl_find_undefined(at, size, rt.pc);
    }
    for (uint64_t i = 0; i < size; i++)
        set_undefined(at + i, (uint8_t)(undefined >> i * 8), true);
}

/* The table still has what the load has found; the write has defined the bytes. */
void __plumb_bits_kept(const void *address, uint64_t size, uint64_t bits)
{
    uint64_t at = (uint64_t)address;
    if (pl_likely(!pl_bits_count) || !rt.active || rt.races == PL_RACES_ALLOW)
        return;
    for (uint64_t i = 0; i < size; i++) {
        const struct partial *p = find(at + i);
        if (!p || !(p->silent >> ((at + i) & 7) & 1))
            continue;
        uint8_t still = byte_of(p, (at + i) & 7) & (uint8_t)(bits >> i * 8);
        set_undefined(at + i, still, false);
        if (still)
            pl_cell_of(at + i)->undefined |= (uint8_t)(1u << ((at + i) & 7));
    }
}
