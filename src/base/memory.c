/* Memory for tables: see memory.h. */
#include "base/memory.h"

#include <malloc.h>
#include <stdint.h>
#include <stdlib.h>
#include <sys/mman.h>

#include "base/status.h"

enum { LARGE_PAGE = 1 << 21, LARGE = 1 << 20 };

void pl_memory_is_short(void)
{
    (void)mallopt(M_MMAP_THRESHOLD, LARGE); /* else it rises to 32 MiB */
}

static void prefer_large_pages(void *memory, size_t bytes)
{
    uintptr_t from = ((uintptr_t)memory + LARGE_PAGE - 1) & ~(uintptr_t)(LARGE_PAGE - 1);
    uintptr_t to = ((uintptr_t)memory + bytes) & ~(uintptr_t)(LARGE_PAGE - 1);
    if (from < to)
        (void)madvise((char *)memory + (from - (uintptr_t)memory), to - from, MADV_HUGEPAGE);
}

void *pl_zeroed(size_t count, size_t size)
{
    void *memory = calloc(count + 1, size);
    PL_ASSERT(memory);
    prefer_large_pages(memory, (count + 1) * size);
    return memory;
}
