/* Open addressing; a table that is half full is replaced by one of twice the size. */
#include "explore/once.h"

#include <stddef.h>
#include <sys/mman.h>

enum { FIRST = 1 << 12 };

struct pl_once {
    uint64_t *slot; /* 0 = free */
    uint32_t slots, count, most;
};

static uint64_t *map(uint64_t slots)
{
    void *p = mmap(NULL, slots * sizeof(uint64_t), PROT_READ | PROT_WRITE,
                   MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    return p == MAP_FAILED ? NULL : p;
}

struct pl_once *pl_once_new(uint32_t most)
{
    uint64_t *page = map(FIRST);
    if (!page)
        return NULL;
    struct pl_once *set = (struct pl_once *)page; /* the rest of its page stays empty */
    *set = (struct pl_once){.slot = map(FIRST), .slots = FIRST, .most = most};
    return set;
}

void pl_once_free(struct pl_once *set)
{
    if (!set)
        return;
    if (set->slot)
        (void)munmap(set->slot, set->slots * sizeof *set->slot);
    (void)munmap(set, FIRST * sizeof(uint64_t));
}

void pl_once_clear(struct pl_once *set)
{
    (void)madvise(set->slot, set->slots * sizeof *set->slot, MADV_DONTNEED);
    set->count = 0;
}

/* Its place, or the free one where it would go; what is in the mask is its number. */
static uint64_t *place_of(const struct pl_once *set, uint64_t hash, uint64_t mask)
{
    uint64_t i = hash / PL_ONCE_NUMBERS;
    while (set->slot[i & (set->slots - 1)] && (set->slot[i & (set->slots - 1)] ^ hash) & ~mask)
        i++;
    return &set->slot[i & (set->slots - 1)];
}

static void grow(struct pl_once *set)
{
    struct pl_once larger = {.slot = map(2ull * set->slots), .slots = 2 * set->slots};
    if (!larger.slot)
        return;
    for (uint32_t i = 0; i < set->slots; i++)
        if (set->slot[i])
            *place_of(&larger, set->slot[i], 0) = set->slot[i];
    (void)munmap(set->slot, set->slots * sizeof *set->slot);
    set->slot = larger.slot;
    set->slots = larger.slots;
}

/* Puts it there, if there is room. */
static void put(struct pl_once *set, uint64_t *slot, uint64_t hash)
{
    if (!*slot && set->count == set->slots / 2)
        return; /* full */
    set->count += !*slot;
    *slot = hash;
}

static void make_room(struct pl_once *set)
{
    if (set->count == set->slots / 2 && set->count < set->most)
        grow(set);
}

bool pl_once_add(struct pl_once *set, uint64_t hash)
{
    hash = hash ? hash : 1;
    if (!set->slot)
        return true;
    make_room(set);
    uint64_t *slot = place_of(set, hash, 0);
    bool is_new = *slot != hash;
    if (is_new)
        put(set, slot, hash);
    return is_new;
}

bool pl_once_within(struct pl_once *set, uint64_t hash, unsigned number, bool note)
{
    const uint64_t mask = PL_ONCE_NUMBERS - 1;
    hash = (hash | PL_ONCE_NUMBERS) & ~mask; /* not 0 */
    if (!set->slot || number >= PL_ONCE_NUMBERS)
        return false;
    make_room(set);
    uint64_t *slot = place_of(set, hash, mask);
    if (*slot && (*slot & mask) <= number)
        return true;
    if (note)
        put(set, slot, hash | number);
    return false;
}
