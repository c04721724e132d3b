/*
 * Blocks of the subject's own allocators (plumb.h): the heap checks for memory that
 * malloc does not know.
 */
#include "runtime/helping.h"
#include "runtime/model.h"
#include "runtime/shadow.h"
#include "runtime/station.h"

enum { BLOCKS = 1 << 16 };

static struct pool_block {
    uint64_t start, size;
    uint32_t epoch; /* as in struct pl_block_info */
    bool freed;
} * block;
static uint32_t blocks PL_STATE;

void pl_pool_reset(void)
{
    blocks = 0;
}

void pl_pool_keep(void)
{
    if (blocks)
        pl_keep(block, blocks * sizeof *block);
}

/* The newest one counts: an address is handed out again and again. */
static struct pool_block *find(uint64_t address)
{
    for (uint32_t i = blocks; i > 0; i--)
        if (address - block[i - 1].start < block[i - 1].size)
            return &block[i - 1];
    return NULL;
}

bool pl_pool_block(uint64_t address, struct pl_block_info *out)
{
    const struct pool_block *b = find(address);
    if (b)
        *out = (struct pl_block_info){b->start, b->size, b->freed ? 0 : b->epoch, b->freed};
    return b != NULL;
}

PL_EXPORT void plumb_pool_alloc(void *start, size_t size);
PL_EXPORT void plumb_pool_free(void *start);

/* free of the memory the pool is made of: its blocks are gone with it. */
void pl_pool_forget(uint64_t start, uint64_t size)
{
    for (uint32_t i = 0; i < blocks; i++)
        if (block[i].start - start < size)
            block[i].size = 0;
}

/* An allocator that gives out what it has not got back. On a stack or in a mapping the memory
 * may have become another's without a word: not judged. */
static void check_overlap(uint64_t address, uint64_t size, uint64_t pc)
{
    if (!pl_in_heap(address) && address - rt.program_start >= rt.program_end - rt.program_start)
        return;
    for (uint32_t i = 0; i < blocks; i++) {
        const struct pool_block *b = &block[i];
        if (b->freed || !b->size || b->start >= address + size || address >= b->start + b->size)
            continue;
        struct pl_found f = {.kind = PL_FINDING_ASSERTION,
                             .address = address,
                             .block = b->start,
                             .pc = pc,
                             .text = "plumb_pool_alloc: the block overlaps one that is not freed"};
        pl_find(&f);
    }
}

void plumb_pool_alloc(void *start, size_t size)
{
    uint64_t pc = PL_CALLER, address = (uint64_t)start;
    if (!rt.active || !size)
        return;
    if ((address & 7) || !pl_shadowed(address) || !pl_shadowed(address + size - 1))
        pl_unsupported("plumb_pool_alloc: the block is not 8-byte aligned memory of the program",
                       pc);
    if (!block)
        block = pl_map(BLOCKS * sizeof *block);
    check_overlap(address, size, pc);
    struct pool_block *b = find(address);
    if (!b || b->start != address) {
        if (blocks == BLOCKS)
            pl_unsupported("plumb_pool_alloc: more than 65,536 blocks in one execution", pc);
        b = &block[blocks++];
    }
    *b = (struct pool_block){address, size, rt.self->epoch, false};
    pl_trace(PL_EVENT_MALLOC, start, size, pc);
    pl_shadow_malloc(address, size, false, true, pc);
}

void plumb_pool_free(void *start)
{
    uint64_t pc = PL_CALLER, address = (uint64_t)start;
    if (!rt.active || !start)
        return;
    struct pool_block *b = block ? find(address) : NULL;
    if (!b || b->start != address || b->freed) {
        struct pl_found f = {.kind = b && b->start == address ? PL_FINDING_DOUBLE_FREE
                                                              : PL_FINDING_INVALID_FREE,
                             .address = address,
                             .block = b ? b->start : 0,
                             .pc = pc};
        pl_find(&f);
        return;
    }
    pl_trace(PL_EVENT_FREE, start, b->size, pc);
    pl_shadow_free(address, b->size, true, pc);
    if (pl_unlikely(rt.exploring))
        pl_model_frees();
    if (pl_unlikely(pl_helping_on))
        pl_helping_free(address);
    b->freed = true;
}
