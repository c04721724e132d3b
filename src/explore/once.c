/* Open addressing in a mapping of its greatest size, of which only the touched pages count. */
#include "explore/once.h"

#include <stddef.h>
#include <sys/mman.h>

enum { SLOTS = 1 << 26, MOST = SLOTS / 2 };

struct pl_once {
    uint32_t count;
    uint64_t slot[SLOTS]; /* 0 = free */
};

struct pl_once *pl_once_new(void)
{
    void *p = mmap(NULL, sizeof(struct pl_once), PROT_READ | PROT_WRITE,
                   MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    return p == MAP_FAILED ? NULL : p;
}

void pl_once_free(struct pl_once *set)
{
    if (set)
        (void)munmap(set, sizeof *set);
}

void pl_once_clear(struct pl_once *set)
{
    (void)madvise(set, sizeof *set, MADV_DONTNEED);
}

bool pl_once_add(struct pl_once *set, uint64_t hash)
{
    hash = hash ? hash : 1;
    if (set->count == MOST)
        return true;
    for (uint64_t i = hash;; i++) {
        uint64_t *slot = &set->slot[i % SLOTS];
        if (*slot == hash)
            return false;
        if (*slot)
            continue;
        *slot = hash;
        set->count++;
        return true;
    }
}
