/*
 * Sorting and searching in arrays. The comparison is the subject's own code and its
 * reads are seen; that the elements change places is announced here: as accesses to
 * the whole array, since any element may move.
 *
 * bsearch and lfind look at the array through the comparison only: not replaced.
 */
#include <search.h>
#include <stdlib.h>
#include <string.h>

#include "runtime/libc.h"

typedef int compare_fn(const void *, const void *);
typedef int compare_r_fn(const void *, const void *, void *);

#define REAL_TABLE(X)                                                                              \
    X(void, qsort, (void *, size_t, size_t, compare_fn *))                                         \
    X(void, qsort_r, (void *, size_t, size_t, compare_r_fn *, void *))
REAL_TABLE(PL_REAL_POINTER)
#define REAL(name) (*(real_##name ? real_##name : (pl_sort_init(), real_##name)))

void pl_sort_init(void)
{
    REAL_TABLE(PL_REAL_FIND)
}

/* Before: undefined bytes may move (padding); a key that is undefined is found by the
 * comparison. After: which bytes are undefined is no longer known, so none is. */
static void before(void *array, size_t bytes, uint64_t pc)
{
    if (bytes && pl_from_subject(pc))
        pl_copy_range(array, array, bytes, pc);
}

static void after(void *array, size_t bytes, uint64_t pc)
{
    if (bytes && pl_from_subject(pc))
        pl_write_range(array, bytes, pc);
}

PL_EXPORT void qsort(void *array, size_t count, size_t size, compare_fn *compare)
{
    uint64_t pc = PL_CALLER;
    before(array, count > 1 ? count * size : 0, pc);
    REAL(qsort)(array, count, size, compare);
    after(array, count > 1 ? count * size : 0, pc);
}

PL_EXPORT void qsort_r(void *array, size_t count, size_t size, compare_r_fn *compare, void *about)
{
    uint64_t pc = PL_CALLER;
    before(array, count > 1 ? count * size : 0, pc);
    REAL(qsort_r)(array, count, size, compare, about);
    after(array, count > 1 ? count * size : 0, pc);
}

/* lfind, and what is not found is added at the end. */
PL_EXPORT void *lsearch(const void *key, void *array, size_t *count, size_t size,
                        compare_fn *compare)
{
    uint64_t pc = PL_CALLER;
    bool subject = pl_from_subject(pc);
    if (subject)
        pl_read_range(count, sizeof *count, pc);
    char *at = array;
    for (size_t i = 0; i < *count; i++, at += size)
        if (compare(key, at) == 0)
            return at;
    if (subject) {
        pl_copy_range(at, key, size, pc);
        pl_write_range(count, sizeof *count, pc);
    }
    memcpy(at, key, size);
    ++*count;
    return at;
}
