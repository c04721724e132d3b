/*
 * Plain and volatile accesses: the compiler's hooks (TSAN_ABI) and the ranges of
 * libc functions. A hook comes before the access; the access itself is done by
 * the subject's own instruction right after.
 *
 * Volatile accesses count as relaxed atomics unless --volatile=plain. Under
 * --races=allow every plain access is a scheduling point and no race is reported.
 */
#include "runtime/atomic.h"
#include "runtime/loops.h"
#include "runtime/model.h"
#include "runtime/shadow.h"
#include "runtime/symmetry.h"

static void trace_access(uint64_t address, uint32_t size, bool write, uint64_t pc)
{
    uint64_t value = 0;
    if (!write && size <= 8)
        __builtin_memcpy(&value, (const void *)address, size);
    pl_trace_slow(write ? PL_EVENT_WRITE : PL_EVENT_READ, (const void *)address, size,
                  PL_ORDER_NONE, value, 0, !write && size <= 8 ? PL_EVENT_F_VALUE : 0, pc);
}

/* Any size and alignment: granule by granule. */
static void access_range(uint64_t address, uint64_t size, bool write, bool may_be_undefined,
                         uint64_t pc)
{
    if (!size || !pl_shadowed(address) || !pl_shadowed(address + size - 1))
        return; /* not ours: a wild access faults by itself */
    for (uint64_t a = address, end = address + size; a < end; a = (a & ~(uint64_t)7) + 8) {
        unsigned low = (unsigned)(a & 7);
        uint64_t left = end - a;
        uint8_t mask = (uint8_t)(0xffu << low);
        if (left < 8 - low)
            mask &= (uint8_t) ~(0xffu << (low + left));
        struct pl_cell *c = pl_cell_of(a);
        if (pl_unlikely(may_be_undefined)) {
            pl_cell_refresh(c, a);
            uint8_t undefined = c->undefined;
            c->undefined = 0;
            pl_granule_access(c, a, mask, write, pc);
            c->undefined = undefined;
        } else {
            pl_granule_access(c, a, mask, write, pc);
        }
    }
}

/* Under the explorer: is it an event of the graph? */
static bool is_event(uint64_t address, uint64_t size, bool read, bool write, uint64_t pc)
{
    pl_model_settle();
    pl_symmetry_access(address);
    if (!rt.learns_races || !pl_model_is_racy(pc) || !pl_shadowed(address))
        return false;
    pl_model_access(address, size > 8 ? 16 : (unsigned)size, read, write, pc);
    return true;
}

static uint8_t small_mask(uint64_t address, unsigned size)
{
    return (uint8_t)(((1u << size) - 1) << (address & 7));
}

/* size is 1, 2, 4 or 8 and the access is aligned: one granule. */
__attribute__((noinline)) static void access_slow(uint64_t address, unsigned size, bool write,
                                                  uint64_t pc)
{
    if (pl_unlikely(!rt.active))
        return;
    rt.pc = pc;
    if (pl_unlikely(rt.races == PL_RACES_ALLOW)) {
        pl_point(pc);
        rt.last_change = write ? rt.steps : rt.last_change;
    }
    if (pl_unlikely(!pl_shadowed(address)))
        return;
    if (pl_unlikely(rt.exploring) && is_event(address, size, !write, write, pc))
        return;
    if (pl_unlikely(rt.tracing))
        trace_access(address, size, write, pc);
    pl_granule_access(pl_cell_of(address), address, small_mask(address, size), write, pc);
    if (pl_unlikely(rt.exploring) && write)
        pl_loops_write(address, size);
}

PL_INLINE void access_small(uint64_t address, unsigned size, bool write, uint64_t pc)
{
    if (pl_unlikely((rt.mode & PL_MODE_PLAIN) != PL_MODE_ORDINARY)) {
        access_slow(address, size, write, pc);
        return;
    }
    rt.pc = pc;
    pl_plain_access(address, small_mask(address, size), write, pc);
}

static void access_any(uint64_t address, uint64_t size, bool write, bool may_be_undefined,
                       uint64_t pc)
{
    if (!rt.active || !size)
        return;
    rt.pc = pc;
    if (rt.races == PL_RACES_ALLOW) {
        pl_point(pc);
        rt.last_change = write ? rt.steps : rt.last_change;
    }
    if (pl_unlikely(rt.exploring) && is_event(address, size, !write, write, pc))
        return;
    if (pl_unlikely(rt.tracing) && pl_shadowed(address))
        trace_access(address, (uint32_t)size, write, pc);
    access_range(address, size, write, may_be_undefined, pc);
    if (pl_unlikely(rt.exploring) && write)
        pl_loops_write(address, size);
}

static void access_volatile(uint64_t address, unsigned size, bool write, uint64_t pc)
{
    if (rt.volatile_plain) {
        access_any(address, size, write, false, pc);
        return;
    }
    if (!rt.active)
        return;
    pl_atomic_volatile(address, size, write, pc);
}

void pl_expected_elsewhere(uint64_t address, unsigned size, bool write, uint64_t pc)
{
    if (pl_unlikely(rt.tracing) && pl_shadowed(address))
        trace_access(address, size, write, pc);
    access_range(address, size, write, false, pc);
}

void pl_read_range(const void *address, size_t size, uint64_t pc)
{
    access_any((uint64_t)address, size, false, false, pc);
}

void pl_write_range(const void *address, size_t size, uint64_t pc)
{
    access_any((uint64_t)address, size, true, false, pc);
}

/* A copy passes undefined bytes on: source bytes may be undefined, target bytes become
 * as their source was. Bytes move between granules of different phase, so one by one. */
void pl_copy_range(void *to, const void *from, size_t size, uint64_t pc)
{
    uint64_t target = (uint64_t)to, source = (uint64_t)from;
    access_any(source, size, false, true, pc);
    bool known = rt.active && size && pl_shadowed(source) && pl_shadowed(target);
    bool any = false;
    for (uint64_t a = source & ~(uint64_t)7; known && !any && a < source + size; a += 8)
        any = pl_cell_of(a)->generation == rt.generation && pl_cell_of(a)->undefined;
    if (!any) {
        access_any(target, size, true, false, pc);
        return;
    }
    enum {
        MOST = 4096
    }; /* beyond that, undefined bytes become defined: an error less, no false one */
    uint8_t undefined[MOST];
    size_t count = size < MOST ? size : MOST;
    for (size_t i = 0; i < count; i++) { /* of a byte with some defined bits: defined */
        uint8_t bit = (uint8_t)(1u << ((source + i) & 7));
        undefined[i] = pl_bits_whole(source + i, pl_cell_of(source + i)->undefined & bit) != 0;
    }
    access_any(target, size, true, false, pc);
    for (size_t i = 0; i < count; i++)
        if (undefined[i])
            pl_cell_of(target + i)->undefined |= (uint8_t)(1u << ((target + i) & 7));
}

/* ---- the hooks ---- */

#define SMALL(size)                                                                                \
    PL_EXPORT PL_HOT void __tsan_read##size(void *a);                                              \
    PL_EXPORT PL_HOT void __tsan_write##size(void *a);                                             \
    PL_EXPORT void __tsan_read_write##size(void *a);                                               \
    void __tsan_read##size(void *a)                                                                \
    {                                                                                              \
        access_small((uint64_t)a, size, false, PL_CALLER);                                         \
    }                                                                                              \
    void __tsan_write##size(void *a)                                                               \
    {                                                                                              \
        access_small((uint64_t)a, size, true, PL_CALLER);                                          \
    }                                                                                              \
    void __tsan_read_write##size(void *a)                                                          \
    {                                                                                              \
        uint64_t pc = PL_CALLER;                                                                   \
        if (pl_unlikely(rt.exploring && rt.active) && is_event((uint64_t)a, size, true, true, pc)) \
            return;                                                                                \
        access_small((uint64_t)a, size, false, pc);                                                \
        access_small((uint64_t)a, size, true, pc);                                                 \
    }
SMALL(1)
SMALL(2)
SMALL(4)
SMALL(8)

#define SIXTEEN(name, write)                                                                       \
    PL_EXPORT void name(void *a);                                                                  \
    void name(void *a)                                                                             \
    {                                                                                              \
        access_any((uint64_t)a, 16, write, !(write), PL_CALLER);                                   \
    }
SIXTEEN(__tsan_read16, false) /* mostly the copy of a struct: may hold undefined bytes */
SIXTEEN(__tsan_write16, true)
PL_EXPORT void __tsan_read_write16(void *a);
void __tsan_read_write16(void *a)
{
    access_any((uint64_t)a, 16, false, false, PL_CALLER);
    access_any((uint64_t)a, 16, true, false, PL_CALLER);
}

#define UNALIGNED(size)                                                                            \
    PL_EXPORT void __tsan_unaligned_read##size(const void *a);                                     \
    PL_EXPORT void __tsan_unaligned_write##size(void *a);                                          \
    PL_EXPORT void __tsan_unaligned_read_write##size(void *a);                                     \
    PL_EXPORT void __tsan_unaligned_volatile_read##size(const void *a);                            \
    PL_EXPORT void __tsan_unaligned_volatile_write##size(void *a);                                 \
    PL_EXPORT void __tsan_volatile_read##size(const void *a);                                      \
    PL_EXPORT void __tsan_volatile_write##size(void *a);                                           \
    void __tsan_unaligned_read##size(const void *a)                                                \
    {                                                                                              \
        access_any((uint64_t)a, size, false, false, PL_CALLER);                                    \
    }                                                                                              \
    void __tsan_unaligned_write##size(void *a)                                                     \
    {                                                                                              \
        access_any((uint64_t)a, size, true, false, PL_CALLER);                                     \
    }                                                                                              \
    void __tsan_unaligned_read_write##size(void *a)                                                \
    {                                                                                              \
        access_any((uint64_t)a, size, false, false, PL_CALLER);                                    \
        access_any((uint64_t)a, size, true, false, PL_CALLER);                                     \
    }                                                                                              \
    void __tsan_unaligned_volatile_read##size(const void *a)                                       \
    {                                                                                              \
        access_volatile((uint64_t)a, size, false, PL_CALLER);                                      \
    }                                                                                              \
    void __tsan_unaligned_volatile_write##size(void *a)                                            \
    {                                                                                              \
        access_volatile((uint64_t)a, size, true, PL_CALLER);                                       \
    }                                                                                              \
    void __tsan_volatile_read##size(const void *a)                                                 \
    {                                                                                              \
        access_volatile((uint64_t)a, size, false, PL_CALLER);                                      \
    }                                                                                              \
    void __tsan_volatile_write##size(void *a)                                                      \
    {                                                                                              \
        access_volatile((uint64_t)a, size, true, PL_CALLER);                                       \
    }
UNALIGNED(1)
UNALIGNED(2)
UNALIGNED(4)
UNALIGNED(8)
UNALIGNED(16)

/* gcc makes ranges of struct copies and of unaligned accesses: padding may be undefined. */
PL_EXPORT void __tsan_read_range(void *a, uint64_t size);
PL_EXPORT void __tsan_write_range(void *a, uint64_t size);
void __tsan_read_range(void *a, uint64_t size)
{
    access_any((uint64_t)a, size, false, true, PL_CALLER);
}
void __tsan_write_range(void *a, uint64_t size)
{
    access_any((uint64_t)a, size, true, false, PL_CALLER);
}

/* The own front end leaves the access to us, where the value may have to be another than the one
   in memory. `size` is 1, 2, 4 or 8 and the access is aligned. */
PL_EXPORT uint64_t __plumb_load(const void *a, uint64_t size);
PL_EXPORT void __plumb_store(void *a, uint64_t size, uint64_t value);
PL_EXPORT uint64_t __plumb_volatile_load(const void *a, uint64_t size);
PL_EXPORT void __plumb_volatile_store(void *a, uint64_t size, uint64_t value);
uint64_t __plumb_load(const void *a, uint64_t size)
{
    uint64_t value = 0;
    access_small((uint64_t)a, (unsigned)size, false, PL_CALLER);
    __builtin_memcpy(&value, a, size);
    return value;
}
void __plumb_store(void *a, uint64_t size, uint64_t value)
{
    access_small((uint64_t)a, (unsigned)size, true, PL_CALLER);
    __builtin_memcpy(a, &value, size);
}
uint64_t __plumb_volatile_load(const void *a, uint64_t size)
{
    uint64_t value = 0;
    access_volatile((uint64_t)a, (unsigned)size, false, PL_CALLER);
    __builtin_memcpy(&value, a, size);
    return value;
}
void __plumb_volatile_store(void *a, uint64_t size, uint64_t value)
{
    access_volatile((uint64_t)a, (unsigned)size, true, PL_CALLER);
    __builtin_memcpy(a, &value, size);
}

/* Constructors and destructors set the vptr again and again to what it is: no write. */
PL_EXPORT void __tsan_vptr_update(void **vptr, void *value);
PL_EXPORT void __tsan_vptr_read(void **vptr);
void __tsan_vptr_update(void **vptr, void *value)
{
    uint64_t pc = PL_CALLER;
    if (rt.active && pl_shadowed((uint64_t)vptr)) {
        struct pl_cell *c = pl_cell_of((uint64_t)vptr);
        pl_cell_refresh(c, (uint64_t)vptr);
        if (c->undefined || *vptr != value)
            access_small((uint64_t)vptr, 8, true, pc);
    }
}
void __tsan_vptr_read(void **vptr)
{
    access_small((uint64_t)vptr, 8, false, PL_CALLER);
}

PL_EXPORT void __tsan_init(void);
PL_EXPORT void __tsan_func_entry(void *pc);
PL_EXPORT void __tsan_func_exit(void);
PL_EXPORT void __tsan_ignore_thread_begin(void);
PL_EXPORT void __tsan_ignore_thread_end(void);
void __tsan_init(void) {}
void __tsan_func_entry(void *pc)
{
    (void)pc;
}
void __tsan_func_exit(void) {}
void __tsan_ignore_thread_begin(void) {}
void __tsan_ignore_thread_end(void) {}
