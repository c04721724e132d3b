/*
 * Mappings of the subject, at addresses that are the same in every execution:
 *
 *   PL_MAPS [ made before main | made by this execution → next ]      PL_MAPS_END
 *             kept, tracked      unmapped at the reset, in one call
 *
 * Places are given out once per execution, one page apart, and not again after a
 * munmap: a use after munmap faults, and the accesses of an old mapping are never
 * taken for races with those of a new one.
 *
 * Invariants:
 * I1  What the execution mapped lies in [kept_end, next) and nowhere else.
 * I2  Calls by the runtime itself, and all calls before it has started, go to the
 *     kernel as they are.
 */
#include <stdarg.h>
#include <string.h>
#include <sys/ipc.h>
#include <sys/mman.h>
#include <sys/shm.h>
#include <unistd.h>

#include "runtime/libc.h"
#include "runtime/model.h"

enum { PAGE = 4096, MAX_KEPT = 1024, MAX_PROTECTED = 256 };

static struct {
    uint64_t next, kept_end; /* 0: nothing yet */
    unsigned kept;
    struct {
        uint64_t start, bytes;
        bool restore;   /* private memory that can be written */
    } region[MAX_KEPT]; /* made before main and still there */
    unsigned is_protected;
    struct {
        uint64_t start, bytes;
    } protected_heap[MAX_PROTECTED]; /* heap whose protection this execution changed */
} state;

static uint64_t whole_pages(uint64_t bytes)
{
    return (bytes + PAGE - 1) & ~(uint64_t)(PAGE - 1);
}

static bool by_execution(uint64_t start, uint64_t bytes)
{
    return start >= state.kept_end && start - PL_MAPS < PL_MAPS_END - PL_MAPS &&
           bytes <= state.next - start;
}

static bool in_heap(uint64_t start)
{
    return start - PL_HEAP < PL_HEAP_END - PL_HEAP;
}

/* ---- mmap ---- */

static uint64_t place(uint64_t bytes)
{
    if (!state.next)
        state.next = state.kept_end = PL_MAPS;
    if (bytes > PL_MAPS_END - state.next - PAGE)
        return 0;
    uint64_t start = state.next;
    rt.unkept = true;
    state.next += bytes + PAGE;
    if (!rt.active)
        state.kept_end = state.next;
    return start;
}

static void keep(uint64_t start, uint64_t bytes, int protection, int flags)
{
    if (rt.active || state.kept == MAX_KEPT)
        return;
    state.region[state.kept].start = start;
    state.region[state.kept].bytes = bytes;
    state.region[state.kept].restore = (protection & PROT_WRITE) && (flags & MAP_PRIVATE);
    state.kept++;
}

/* Memory is not what it was. */
static void changes(uint64_t pc)
{
    if (rt.exploring && rt.active && !pl_from_runtime(pc))
        pl_model_frees();
}

static void *map(void *wish, size_t size, int protection, int flags, int fd, off_t offset,
                 uint64_t pc)
{
    if (pl_from_runtime(pc)) /* I2 */
        return (void *)PL_SYS_ERRNO(SYS_mmap, wish, size, protection, flags, fd, offset);
    uint64_t start = (uint64_t)wish, bytes = whole_pages(size);
    if (!(flags & (MAP_FIXED | MAP_FIXED_NOREPLACE))) {
        start = bytes ? place(bytes) : 0;
        if (!start) {
            errno = bytes ? ENOMEM : EINVAL;
            return MAP_FAILED;
        }
    } else if (rt.active && !by_execution(start, bytes)) {
        pl_unsupported("mmap with MAP_FIXED at an address of its own choice: not supported, except "
                       "inside memory the program has mapped itself in the same execution",
                       pc);
    } else {
        changes(pc);
    }
    long result = PL_SYS(SYS_mmap, start, size, protection,
                         (flags & ~MAP_FIXED_NOREPLACE) | MAP_FIXED | MAP_NORESERVE, fd, offset);
    if (result == (long)start)
        keep(start, bytes, protection, flags);
    return (void *)pl_sys_errno(result);
}

PL_EXPORT void *mmap(void *wish, size_t size, int protection, int flags, int fd, off_t offset)
{
    return map(wish, size, protection, flags, fd, offset, PL_CALLER);
}

PL_EXPORT void *mmap64(void *wish, size_t size, int protection, int flags, int fd, off_t offset)
{
    return map(wish, size, protection, flags, fd, offset, PL_CALLER);
}

/* ---- munmap, mremap, mprotect ---- */

static void forget(uint64_t start, uint64_t bytes)
{
    for (unsigned i = 0; i < state.kept; i++)
        if (state.region[i].start >= start &&
            state.region[i].start + state.region[i].bytes <= start + bytes)
            state.region[i--] = state.region[--state.kept];
}

PL_EXPORT int munmap(void *address, size_t size)
{
    uint64_t pc = PL_CALLER, start = (uint64_t)address, bytes = whole_pages(size);
    changes(pc);
    if (rt.active && !pl_from_runtime(pc) && !by_execution(start, bytes))
        return 0; /* from before main: the next execution needs it */
    if (!rt.active && !pl_from_runtime(pc))
        forget(start, bytes);
    return (int)PL_SYS_ERRNO(SYS_munmap, address, size, 0, 0, 0, 0);
}

PL_EXPORT void *mremap(void *address, size_t size, size_t new_size, int flags, ...)
{
    uint64_t pc = PL_CALLER, start = (uint64_t)address;
    uint64_t old_bytes = whole_pages(size), bytes = whole_pages(new_size);
    changes(pc);
    if (pl_from_runtime(pc) || (flags & MREMAP_FIXED)) {
        if (!pl_from_runtime(pc))
            pl_unsupported("mremap with MREMAP_FIXED: not supported", pc);
        return (void *)PL_SYS_ERRNO(SYS_mremap, address, size, new_size, flags, 0, 0);
    }
    if (rt.active && !by_execution(start, old_bytes))
        pl_unsupported("mremap of memory mapped before main: not supported", pc);
    if (bytes <= old_bytes)
        return (void *)PL_SYS_ERRNO(SYS_mremap, address, size, new_size, 0, 0, 0);
    uint64_t to = flags & MREMAP_MAYMOVE ? place(bytes) : 0;
    if (!to) {
        errno = ENOMEM;
        return MAP_FAILED;
    }
    long result = PL_SYS(SYS_mremap, address, size, new_size, MREMAP_MAYMOVE | MREMAP_FIXED, to, 0);
    if (result == (long)to && !rt.active) {
        forget(start, old_bytes);
        keep(to, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE);
    }
    return (void *)pl_sys_errno(result);
}

static void protect_until_reset(uint64_t start, uint64_t bytes, uint64_t pc)
{
    if (state.is_protected == MAX_PROTECTED)
        pl_unsupported("mprotect of more than 256 parts of the heap", pc);
    state.protected_heap[state.is_protected].start = start;
    state.protected_heap[state.is_protected].bytes = bytes;
    state.is_protected++;
    rt.unkept = true;
}

PL_EXPORT int mprotect(void *address, size_t size, int protection)
{
    uint64_t pc = PL_CALLER, start = (uint64_t)address, bytes = whole_pages(size);
    changes(pc);
    if (rt.active && !pl_from_runtime(pc) && !by_execution(start, bytes)) {
        if (!in_heap(start))
            pl_unsupported("mprotect of memory that was there before main: not supported", pc);
        protect_until_reset(start, bytes, pc);
    }
    return (int)PL_SYS_ERRNO(SYS_mprotect, address, size, protection, 0, 0, 0);
}

/* Advice that throws content away would throw away what the reset relies on. */
PL_EXPORT int madvise(void *address, size_t size, int advice)
{
    uint64_t pc = PL_CALLER, start = (uint64_t)address, bytes = whole_pages(size);
    bool drops = advice == MADV_DONTNEED || advice == MADV_FREE || advice == MADV_REMOVE;
    if (rt.active && !pl_from_runtime(pc) && !by_execution(start, bytes)) {
        if (!drops)
            return 0;
        if (advice == MADV_DONTNEED)
            memset(address, 0, size); /* what anonymous memory reads as afterwards */
        return 0;
    }
    return (int)PL_SYS_ERRNO(SYS_madvise, address, size, advice, 0, 0, 0);
}

PL_EXPORT int posix_madvise(void *address, size_t size, int advice)
{
    (void)address, (void)size, (void)advice;
    return 0; /* POSIX advice changes nothing a program can see */
}

/* ---- what cannot be undone ---- */

PL_EXPORT int brk(void *end)
{
    (void)end;
    pl_unsupported("brk: not supported, memory comes from malloc or mmap", PL_CALLER);
}

PL_EXPORT void *sbrk(intptr_t more)
{
    uint64_t pc = PL_CALLER;
    if (more != 0 && rt.active)
        pl_unsupported("sbrk: not supported, memory comes from malloc or mmap", pc);
    uint64_t end = (uint64_t)PL_SYS(SYS_brk, 0, 0, 0, 0, 0, 0);
    if (more != 0 &&
        PL_SYS(SYS_brk, end + (uint64_t)more, 0, 0, 0, 0, 0) != (long)(end + (uint64_t)more)) {
        errno = ENOMEM;
        return (void *)-1;
    }
    return (void *)end;
}

static const char no_sysv[] = "System V shared memory (shmget, shmat) is not supported: use mmap";

PL_EXPORT int shmget(key_t key, size_t size, int flags)
{
    (void)key, (void)size, (void)flags;
    pl_unsupported(no_sysv, PL_CALLER);
}

PL_EXPORT void *shmat(int id, const void *address, int flags)
{
    (void)id, (void)address, (void)flags;
    pl_unsupported(no_sysv, PL_CALLER);
}

/* ---- executions ---- */

void pl_maps_snapshot(void)
{
    for (unsigned i = 0; i < state.kept; i++)
        if (state.region[i].restore)
            pl_track_region((void *)state.region[i].start, state.region[i].bytes);
}

void pl_maps_reset(void)
{
    if (pl_unlikely(state.next != state.kept_end)) {
        PL_SYS(SYS_munmap, state.kept_end, state.next - state.kept_end, 0, 0, 0, 0);
        state.next = state.kept_end;
    }
    for (; state.is_protected; state.is_protected--)
        PL_SYS(SYS_mprotect, state.protected_heap[state.is_protected - 1].start,
               state.protected_heap[state.is_protected - 1].bytes, PROT_READ | PROT_WRITE, 0, 0, 0);
}
