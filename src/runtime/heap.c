/*
 * The subject's heap. Each thread has its own arena, and a freed block goes to the
 * freeing thread's last-in-first-out list, as real allocators do: addresses depend
 * only on what the thread did and read, and ABA can show. Arena 0 serves what is
 * allocated outside executions (constructors, libc for itself) and is never reused.
 *
 *   arena:  | header | user bytes … | red zone | header | user bytes … | red zone | …
 *            32 bytes  size           >= 16      ▲ next = this + stride
 *
 * Invariants:
 * I1  Headers tile an arena from its start to its top.
 * I2  User bytes are 16-byte aligned; the red zones and headers are never valid in
 *     the shadow, so touching them is found.
 * I3  Fresh bytes have a fixed pattern, so a program that reads them does so the same
 *     way in every run.
 */
#include <errno.h>
#include <malloc.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

#include "runtime/harness.h"
#include "runtime/helping.h"
#include "runtime/loops.h"
#include "runtime/model.h"
#include "runtime/shadow.h"
#include "runtime/station.h"

enum { ARENAS = PL_MAX_THREADS + 1, CLASSES = 128, RED_ZONE = 16 };
enum block_state { BLOCK_LIVE = 0x4c495645, BLOCK_FREE = 0x46524545, BLOCK_GAP = 0x47415020 };

struct block {
    uint32_t state;  /* enum block_state */
    uint32_t stride; /* from this header to the next, in 16-byte units */
    uint64_t size;   /* as asked for */
    union {
        struct block *next_free;
        uint64_t epoch; /* live: of the thread that has it, when it was given out */
    };
    uint32_t offset; /* unused bytes of an aligned block's front: 0 */
    uint16_t lives;  /* how often it was given out before, in this execution */
    uint16_t made;   /* which allocation this is: pl_harness_allocates */
};
_Static_assert(sizeof(struct block) == 32, "the left red zone");

static struct arena {
    uint64_t top;
    uint32_t generation;           /* all lists are empty if it is not the present one */
    uint64_t filled[CLASSES / 64]; /* bit per list that is not empty; the others hold garbage */
    struct block *list[CLASSES];
} arena[ARENAS];
static bool mapped;

/* Arenas and stacks of different threads start at different places of a page, or what they
 * use most would compete for the same lines of the cache. */
static uint64_t arena_start(uint32_t i)
{
    return PL_HEAP + i * (uint64_t)PL_ARENA_BYTES + i * (uint64_t)PL_ARENA_SKEW;
}

static void map_heap(void)
{
    void *start = (void *)PL_HEAP;
    if (mmap(start, PL_HEAP_END - PL_HEAP, PROT_READ | PROT_WRITE,
             MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED_NOREPLACE | MAP_NORESERVE, -1, 0) != start)
        pl_unsupported("the heap does not get its fixed address", 0);
    for (uint32_t i = 0; i < ARENAS; i++)
        arena[i].top = arena_start(i);
    mapped = true;
}

static uint32_t current_arena(void)
{
    if (pl_unlikely(!mapped))
        map_heap();
    if (!rt.active)
        return 0;
    uint32_t i = rt.self->id + 1;
    if (arena[i].generation != rt.generation) {
        arena[i].generation = rt.generation;
        arena[i].top = arena_start(i);
        arena[i].filled[0] = arena[i].filled[1] = 0;
    }
    return i;
}

/* Blocks of up to 1 KiB have exact classes; above, four per power of two. Units of 16 bytes. */
static uint32_t class_of(uint64_t units)
{
    if (units <= 64)
        return (uint32_t)units;
    uint32_t log = 63 - (uint32_t)__builtin_clzll(units);
    return 64 + (log - 6) * 4 + (uint32_t)((units >> (log - 2)) & 3);
}

static uint64_t class_units(uint64_t units)
{
    if (units <= 64)
        return units;
    uint64_t step = (uint64_t)1 << (63 - (uint32_t)__builtin_clzll(units) - 2);
    return (units + step - 1) & ~(step - 1);
}

static struct block *header_of(const void *user)
{
    return (struct block *)((uintptr_t)user - sizeof(struct block));
}

static void *user_of(struct block *b)
{
    return b + 1;
}

static struct block *carve(struct arena *a, uint32_t index, uint64_t units, uint64_t alignment)
{
    uint64_t user = (a->top + sizeof(struct block) + alignment - 1) & ~(alignment - 1);
    uint64_t start = user - sizeof(struct block);
    if (start != a->top) { /* I1: the gap in front of an aligned block gets a header, too */
        if (start - a->top < sizeof(struct block))
            start += alignment > 32 ? alignment : 32;
        *(struct block *)a->top =
            (struct block){.state = BLOCK_GAP, .stride = (uint32_t)((start - a->top) / 16)};
    }
    if (start + units * 16 > PL_HEAP + (index + 1) * (uint64_t)PL_ARENA_BYTES)
        return NULL;
    struct block *b = (struct block *)start;
    b->stride = (uint32_t)units;
    b->lives = 0;
    a->top = start + units * 16;
    return b;
}

/* What the C library allocates for itself it fills and frees under locks of its own, which are
 * not seen: it is not judged. */
static bool for_libc_itself(uint64_t pc)
{
    return pc - rt.libc_start < rt.libc_end - rt.libc_start;
}

/* The block freed last, if it is aligned as asked; arena 0 never has any. */
static struct block *take_free(struct arena *a, uint32_t class, uint64_t alignment)
{
    uint64_t *filled = &a->filled[class / 64], bit = (uint64_t)1 << class % 64;
    if (!(*filled & bit))
        return NULL;
    struct block *b = a->list[class];
    if ((uint64_t)user_of(b) & (alignment - 1))
        return NULL;
    a->list[class] = b->next_free;
    b->lives++;
    if (!b->next_free)
        *filled &= ~bit;
    return b;
}

static void *allocate(uint64_t size, uint64_t alignment, bool zero, uint64_t pc)
{
    if (size >= PL_ARENA_BYTES || alignment >= PL_ARENA_BYTES) {
        errno = ENOMEM;
        return NULL;
    }
    uint32_t index = current_arena();
    struct arena *a = &arena[index];
    uint64_t units = (sizeof(struct block) + ((size + 15) & ~(uint64_t)15) + RED_ZONE) / 16;
    units = class_units(units);
    struct block *b = take_free(a, class_of(units), alignment);
    if (!b)
        b = carve(a, index, units, alignment < 16 ? 16 : alignment);
    if (!b) {
        errno = ENOMEM;
        return NULL;
    }
    b->state = BLOCK_LIVE;
    b->size = size;
    b->epoch = rt.active ? rt.self->epoch : 0;
    b->offset = 0;
    b->made = rt.active ? pl_harness_allocates() : 0;
    void *user = user_of(b);
    memset(user, zero ? 0 : PL_FRESH, size); /* I3 */
    if (rt.active) {
        bool own = for_libc_itself(pc);
        pl_shadow_malloc((uint64_t)user, size, zero || own, !own, pc);
        if (pl_unlikely(rt.exploring)) {
            pl_shadow_live((uint64_t)user, size, (uint8_t)b->lives);
            pl_loops_allocates();
        }
        pl_trace(PL_EVENT_MALLOC, user, size, pc);
    }
    return user;
}

static bool in_heap(const void *p)
{
    return (uint64_t)p - PL_HEAP < PL_HEAP_END - PL_HEAP;
}

PL_COLD static void bad_free(void *user, uint64_t pc)
{
    struct pl_found f = {.kind = PL_FINDING_INVALID_FREE, .address = (uint64_t)user, .pc = pc};
    struct pl_block_info block;
    if (pl_heap_block((uint64_t)user, &block)) {
        f.block = block.start;
        if (block.start == (uint64_t)user && block.freed)
            f.kind = PL_FINDING_DOUBLE_FREE;
    }
    pl_find(&f);
}

/* The header if `user` is a live block, after a finding otherwise. */
static struct block *check_live(void *user, uint64_t pc)
{
    struct block *b = header_of(user);
    bool plausible = in_heap(user) && ((uintptr_t)user & 15) == 0 && b->state == BLOCK_LIVE;
    /* The state word could be the subject's own data: only a walk is proof, and it is
     * made only when the shadow does not already know the first byte as valid. */
    if (plausible && rt.active && (uint64_t)user >= pl_heap_base_end) {
        struct pl_cell *c = pl_cell_of((uint64_t)user - 8); /* the header is never valid */
        pl_cell_refresh(c, (uint64_t)user - 8);
        plausible = c->valid == 0;
    }
    if (plausible)
        return b;
    if (!rt.active)
        return NULL;
    bad_free(user, pc);
    return NULL;
}

static void release(void *user, uint64_t pc)
{
    if (!user)
        return;
    if (pl_unlikely(!mapped))
        return;
    struct block *b = check_live(user, pc);
    if (!b)
        return;
    if (rt.active) {
        pl_trace(PL_EVENT_FREE, user, b->size, pc);
        pl_shadow_free((uint64_t)user, b->size, !for_libc_itself(pc), pc);
        if (pl_unlikely(rt.exploring)) {
            pl_loops_allocates();
            pl_model_frees();
        }
        if (pl_unlikely(pl_helping_on))
            pl_helping_free(0);
        pl_pool_forget((uint64_t)user, b->size);
    }
    b->state = BLOCK_FREE;
    uint32_t index = current_arena();
    if (index == 0 || (rt.options && rt.options->reuse_off))
        return;
    uint32_t class = class_of(b->stride);
    uint64_t *filled = &arena[index].filled[class / 64], bit = (uint64_t)1 << class % 64;
    b->next_free = *filled & bit ? arena[index].list[class] : NULL;
    arena[index].list[class] = b;
    *filled |= bit;
}

static void *reallocate(void *user, uint64_t size, uint64_t pc)
{
    if (!user)
        return allocate(size, 16, false, pc);
    if (size == 0) {
        release(user, pc);
        return NULL;
    }
    struct block *b = check_live(user, pc);
    if (!b)
        return NULL;
    void *moved = allocate(size, 16, false, pc);
    if (!moved)
        return NULL;
    uint64_t keep = b->size < size ? b->size : size;
    if (rt.active)
        pl_copy_range(moved, user, keep, pc);
    memcpy(moved, user, keep);
    release(user, pc);
    return moved;
}

/* ---- for findings and resets ---- */

/* The block, live or freed, that has the address in its arena. */
static struct block *block_at(uint64_t address)
{
    if (!in_heap((void *)address) || !mapped)
        return NULL;
    uint32_t i = (uint32_t)((address - PL_HEAP) / PL_ARENA_BYTES);
    for (uint64_t at = arena_start(i), next; address >= at && at < arena[i].top; at = next) {
        struct block *b = (struct block *)at;
        next = at + b->stride * (uint64_t)16;
        if (next <= at)
            return NULL; /* the subject wrote over a header by uninstrumented code */
        if (b->state != BLOCK_GAP && address < next)
            return b;
    }
    return NULL;
}

uint16_t pl_heap_made(uint64_t address, uint64_t *offset)
{
    struct block *b = block_at(address); /* also one that was there before main and is used again */
    uint64_t user = b ? (uint64_t)user_of(b) : 0;
    *offset = address - user;
    return b && address >= user && address - user <= b->size ? b->made : 0;
}

bool pl_heap_block(uint64_t address, struct pl_block_info *out)
{
    if (pl_pool_block(address, out))
        return true;
    struct block *b = block_at(address); /* a header belongs to the block that it is of */
    if (!b)
        return false;
    bool freed = b->state == BLOCK_FREE;
    *out = (struct pl_block_info){(uint64_t)user_of(b), b->size, freed ? 0 : (uint32_t)b->epoch,
                                  freed};
    return true;
}

bool pl_heap_place(uint64_t address, uint32_t *thread, uint64_t *offset)
{
    if (!in_heap((void *)address))
        return false;
    uint32_t i = (uint32_t)((address - PL_HEAP) / PL_ARENA_BYTES);
    *thread = i - 1;
    *offset = address - arena_start(i);
    return i > 0 && address >= arena_start(i);
}

uint64_t pl_heap_keep(void)
{
    uint64_t kept = 0;
    for (uint32_t i = 1; i <= rt.nthreads && i < ARENAS - 1; i++) {
        struct arena *a = &arena[i];
        if (a->generation != rt.generation)
            continue;
        bool lists = (a->filled[0] | a->filled[1]) != 0;
        kept |= (uint64_t)1 << i;
        pl_keep(a, lists ? sizeof *a : offsetof(struct arena, list));
        pl_keep((void *)arena_start(i), a->top - arena_start(i));
    }
    return kept;
}

void pl_heap_kept(uint64_t arenas)
{
    for (; arenas; arenas &= arenas - 1)
        arena[__builtin_ctzll(arenas)].generation = rt.generation;
}

void pl_heap_snapshot(void)
{
    if (!mapped)
        map_heap();
    arena[0].top = (arena[0].top + 4095) & ~(uint64_t)4095;
    pl_heap_base_end = arena[0].top;
    if (arena[0].top > PL_HEAP)
        pl_track_region((void *)PL_HEAP, arena[0].top - PL_HEAP);
}

/* ---- leaks: blocks nobody points to at the end ---- */

static void mark_range(uint64_t start, uint64_t end);

static void mark_word(uint64_t word)
{
    struct pl_block_info block;
    if (word < pl_heap_base_end || !in_heap((void *)word) || !pl_heap_block(word, &block) ||
        block.freed || word > block.start + block.size)
        return;
    struct block *b = header_of((void *)block.start);
    if (b->offset)
        return;
    b->offset = 1; /* reached */
    mark_range(block.start, block.start + block.size);
}

static void mark_range(uint64_t start, uint64_t end)
{
    for (uint64_t a = (start + 7) & ~(uint64_t)7; a + 8 <= end; a += 8)
        mark_word(*(uint64_t *)a);
}

void pl_heap_mark_roots(uint64_t start, uint64_t end)
{
    mark_range(start, end);
}

void pl_heap_check_leaks(void)
{
    mark_range(PL_HEAP, pl_heap_base_end);
    uint32_t count = 0;
    uint64_t first = 0;
    for (uint32_t i = 1; i <= rt.nthreads; i++) {
        if (arena[i].generation != rt.generation)
            continue;
        for (uint64_t at = arena_start(i); at < arena[i].top;) {
            struct block *b = (struct block *)at;
            if (b->state == BLOCK_LIVE && !b->offset) {
                count++;
                first = first ? first : (uint64_t)user_of(b);
            }
            b->offset = 0;
            at += b->stride * (uint64_t)16;
        }
    }
    if (count) {
        struct pl_found f = {
            .kind = PL_FINDING_LEAK, .address = first, .block = first, .code = count};
        pl_find(&f);
    }
}

/* ---- the public names ---- */

PL_EXPORT void *malloc(size_t size)
{
    return allocate(size, 16, false, PL_CALLER);
}
PL_EXPORT void free(void *p)
{
    release(p, PL_CALLER);
}
PL_EXPORT void cfree(void *p);
void cfree(void *p)
{
    release(p, PL_CALLER);
}
PL_EXPORT void *realloc(void *p, size_t size)
{
    return reallocate(p, size, PL_CALLER);
}

PL_EXPORT void *calloc(size_t n, size_t size)
{
    size_t total;
    if (__builtin_mul_overflow(n, size, &total)) {
        errno = ENOMEM;
        return NULL;
    }
    return allocate(total, 16, true, PL_CALLER);
}

PL_EXPORT void *reallocarray(void *p, size_t n, size_t size)
{
    size_t total;
    if (__builtin_mul_overflow(n, size, &total)) {
        errno = ENOMEM;
        return NULL;
    }
    return reallocate(p, total, PL_CALLER);
}

static bool power_of_two(size_t n)
{
    return n && !(n & (n - 1));
}

PL_EXPORT void *memalign(size_t alignment, size_t size)
{
    return allocate(size, power_of_two(alignment) ? alignment : 16, false, PL_CALLER);
}
PL_EXPORT void *aligned_alloc(size_t alignment, size_t size)
{
    if (!power_of_two(alignment)) {
        errno = EINVAL;
        return NULL;
    }
    return allocate(size, alignment, false, PL_CALLER);
}
PL_EXPORT void *valloc(size_t size)
{
    return allocate(size, 4096, false, PL_CALLER);
}
PL_EXPORT void *pvalloc(size_t size)
{
    return allocate((size + 4095) & ~(size_t)4095, 4096, false, PL_CALLER);
}
PL_EXPORT int posix_memalign(void **out, size_t alignment, size_t size)
{
    if (!power_of_two(alignment) || alignment % sizeof(void *))
        return EINVAL;
    void *p = allocate(size, alignment, false, PL_CALLER);
    if (!p)
        return ENOMEM;
    *out = p;
    return 0;
}
PL_EXPORT size_t malloc_usable_size(void *p)
{
    return p ? header_of(p)->size : 0;
}
