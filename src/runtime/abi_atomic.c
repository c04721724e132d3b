/*
 * The compiler's entry points for atomics: __tsan_atomicN_* for 1 to 16 bytes, the
 * libatomic names __atomic_* that clang emits for 16 bytes and both for others,
 * fences. Each does its work natively when no execution is under way (I4).
 *
 * gcc and clang disagree on details (TSAN_ABI): consume arrives as 1 or 2, hardware
 * lock elision bits are masked, compare_exchange comes in three shapes (clang itself
 * reads and writes `expected`; for gcc that plain access is made, and checked, here).
 */
#include <stdatomic.h>
#include <string.h>

#include "runtime/atomic.h"
#include "runtime/model.h"
#include "runtime/wide.h"

__extension__ typedef unsigned __int128 u128;

static unsigned order_of(int order)
{
    return (unsigned)order & 0xffff;
}

/* Trace: the low 8 bytes of 16-byte values. */
#define TRACE(kind, p, n, order, value, value2, pc)                                                \
    do {                                                                                           \
        if (pl_unlikely(rt.tracing))                                                               \
            pl_trace_slow(kind, (const void *)(uintptr_t)(p), n, (enum pl_memory_order)(order),    \
                          (uint64_t)(value), (uint64_t)(value2), PL_EVENT_F_VALUE, pc);            \
    } while (0)

#define CHANGED(old, new) (rt.last_change = (old) != (new) ? rt.steps : rt.last_change)

/* A value as the explorer knows it, and back. */
#define IN(v)        (sizeof(v) > 8 ? pl_wide_number(v) : (uint64_t)(v))
#define OUT(type, v) (sizeof(type) > 8 ? pl_wide_value(v) : (pl_wide)(v))

#define LOADS(bits, type)                                                                          \
    __attribute__((noinline)) static type slow_load##bits(const volatile type *p, int mo,          \
                                                          uint64_t pc)                             \
    {                                                                                              \
        unsigned order = order_of(mo);                                                             \
        if (pl_unlikely(!rt.active))                                                               \
            return *p;                                                                             \
        if (pl_unlikely(rt.exploring))                                                             \
            return (type)OUT(type, pl_model_load((uint64_t)(uintptr_t)p, sizeof *p, order, pc));   \
        struct pl_sync *s = pl_atomic_begin((uint64_t)(uintptr_t)p, sizeof *p, pc);                \
        rt.pc = pc;                                                                                \
        type value = *p;                                                                           \
        TRACE(PL_EVENT_LOAD, p, sizeof *p, order, value, 0, pc);                                   \
        pl_atomic_read(s, sizeof *p, order, pc);                                                   \
        return value;                                                                              \
    }                                                                                              \
    __attribute__((noinline)) static void slow_store##bits(volatile type *p, type value, int mo,   \
                                                           uint64_t pc)                            \
    {                                                                                              \
        unsigned order = order_of(mo);                                                             \
        if (pl_unlikely(!rt.active)) {                                                             \
            *p = value;                                                                            \
            return;                                                                                \
        }                                                                                          \
        if (pl_unlikely(rt.exploring)) {                                                           \
            pl_model_store((uint64_t)(uintptr_t)p, sizeof *p, order, IN(value), pc);               \
            return;                                                                                \
        }                                                                                          \
        struct pl_sync *s = pl_atomic_begin((uint64_t)(uintptr_t)p, sizeof *p, pc);                \
        rt.pc = pc;                                                                                \
        TRACE(PL_EVENT_STORE, p, sizeof *p, order, value, 0, pc);                                  \
        CHANGED(*p, value);                                                                        \
        *p = value;                                                                                \
        pl_atomic_write(s, sizeof *p, order, pc);                                                  \
    }                                                                                              \
    __attribute__((noinline)) static bool slow_cas##bits(volatile type *p, type *expected,         \
                                                         type value, int mo, int fail, bool weak,  \
                                                         bool seen_by_us, uint64_t pc)             \
    {                                                                                              \
        if (pl_unlikely(!rt.active)) {                                                             \
            type seen = *p;                                                                        \
            if (seen == *expected) {                                                               \
                *p = value;                                                                        \
                return true;                                                                       \
            }                                                                                      \
            *expected = seen;                                                                      \
            return false;                                                                          \
        }                                                                                          \
        if (pl_unlikely(rt.exploring)) {                                                           \
            bool ok;                                                                               \
            struct pl_model_update u = {PL_EVENT_CAS_OK, IN(value),      IN(*expected),            \
                                        order_of(mo),    order_of(fail), weak};                    \
            *expected =                                                                            \
                (type)OUT(type, pl_model_update((uint64_t)(uintptr_t)p, sizeof *p, &u, &ok, pc));  \
            return ok;                                                                             \
        }                                                                                          \
        struct pl_sync *s = pl_atomic_begin((uint64_t)(uintptr_t)p, sizeof *p, pc);                \
        rt.pc = pc;                                                                                \
        type seen = *p;                                                                            \
        if (seen_by_us)                                                                            \
            pl_expected_access(expected, sizeof *p, false, pc);                                    \
        bool spurious = weak && rt.options->spurious && pl_choose(2) == 1;                         \
        if (seen == *expected && !spurious) {                                                      \
            TRACE(PL_EVENT_CAS_OK, p, sizeof *p, order_of(mo), seen, value, pc);                   \
            CHANGED(seen, value);                                                                  \
            *p = value;                                                                            \
            pl_atomic_update(s, sizeof *p, order_of(mo), pc);                                      \
            return true;                                                                           \
        }                                                                                          \
        TRACE(PL_EVENT_CAS_FAIL, p, sizeof *p, order_of(fail), seen, value, pc);                   \
        pl_atomic_read(s, sizeof *p, order_of(fail), pc);                                          \
        if (seen_by_us)                                                                            \
            pl_expected_access(expected, sizeof *p, true, pc);                                     \
        *expected = seen;                                                                          \
        return false;                                                                              \
    }

#define RMW(bits, type, name, event, result)                                                       \
    __attribute__((noinline)) static type slow_##name##bits(volatile type *p, type value, int mo,  \
                                                            uint64_t pc)                           \
    {                                                                                              \
        if (pl_unlikely(!rt.active)) {                                                             \
            type old = *p;                                                                         \
            *p = (type)(result);                                                                   \
            return old;                                                                            \
        }                                                                                          \
        if (pl_unlikely(rt.exploring)) {                                                           \
            bool ok;                                                                               \
            struct pl_model_update u = {event, IN(value), 0, order_of(mo), order_of(mo), false};   \
            return (type)OUT(type,                                                                 \
                             pl_model_update((uint64_t)(uintptr_t)p, sizeof *p, &u, &ok, pc));     \
        }                                                                                          \
        struct pl_sync *s = pl_atomic_begin((uint64_t)(uintptr_t)p, sizeof *p, pc);                \
        rt.pc = pc;                                                                                \
        type old = *p, new = (type)(result);                                                       \
        TRACE(event, p, sizeof *p, order_of(mo), old, new, pc);                                    \
        CHANGED(old, new);                                                                         \
        *p = new;                                                                                  \
        pl_atomic_update(s, sizeof *p, order_of(mo), pc);                                          \
        return old;                                                                                \
    }

#define ALL(bits, type)                                                                            \
    LOADS(bits, type)                                                                              \
    RMW(bits, type, exchange, PL_EVENT_EXCHANGE, value)                                            \
    RMW(bits, type, fetch_add, PL_EVENT_FETCH_ADD, old + value)                                    \
    RMW(bits, type, fetch_sub, PL_EVENT_FETCH_SUB, old - value)                                    \
    RMW(bits, type, fetch_and, PL_EVENT_FETCH_AND, old &value)                                     \
    RMW(bits, type, fetch_or, PL_EVENT_FETCH_OR, old | value)                                      \
    RMW(bits, type, fetch_xor, PL_EVENT_FETCH_XOR, old ^ value)                                    \
    RMW(bits, type, fetch_nand, PL_EVENT_FETCH_NAND, ~(old & value))
ALL(8, uint8_t)
ALL(16, uint16_t)
ALL(32, uint32_t)
ALL(64, uint64_t)
ALL(128, u128)

/* ---- the ordinary way: at most 8 bytes, random schedules, no trace ---- */

#define ORDINARY pl_likely((rt.mode & PL_MODE_ATOMIC) == PL_MODE_ORDINARY)

#define FAST_LOADS(bits, type)                                                                     \
    PL_INLINE type load##bits(const volatile type *p, int mo, uint64_t pc)                         \
    {                                                                                              \
        if (!ORDINARY)                                                                             \
            return slow_load##bits(p, mo, pc);                                                     \
        struct pl_sync *s = pl_atomic_begin_inline((uint64_t)(uintptr_t)p, sizeof *p, pc);         \
        rt.pc = pc;                                                                                \
        type value = *p;                                                                           \
        pl_atomic_read_inline(s, order_of(mo), pc);                                                \
        return value;                                                                              \
    }                                                                                              \
    PL_INLINE void store##bits(volatile type *p, type value, int mo, uint64_t pc)                  \
    {                                                                                              \
        if (!ORDINARY) {                                                                           \
            slow_store##bits(p, value, mo, pc);                                                    \
            return;                                                                                \
        }                                                                                          \
        struct pl_sync *s = pl_atomic_begin_inline((uint64_t)(uintptr_t)p, sizeof *p, pc);         \
        rt.pc = pc;                                                                                \
        CHANGED(*p, value);                                                                        \
        *p = value;                                                                                \
        pl_atomic_write_inline(s, order_of(mo), pc);                                               \
    }                                                                                              \
    PL_INLINE bool cas##bits(volatile type *p, type *expected, type value, int mo, int fail,       \
                             bool weak, bool seen_by_us, uint64_t pc)                              \
    {                                                                                              \
        if (!ORDINARY || (weak && rt.options->spurious))                                           \
            return slow_cas##bits(p, expected, value, mo, fail, weak, seen_by_us, pc);             \
        struct pl_sync *s = pl_atomic_begin_inline((uint64_t)(uintptr_t)p, sizeof *p, pc);         \
        rt.pc = pc;                                                                                \
        type seen = *p;                                                                            \
        if (seen_by_us)                                                                            \
            pl_expected_access(expected, sizeof *p, false, pc);                                    \
        if (seen == *expected) {                                                                   \
            CHANGED(seen, value);                                                                  \
            *p = value;                                                                            \
            pl_atomic_update_inline(s, order_of(mo), pc);                                          \
            return true;                                                                           \
        }                                                                                          \
        pl_atomic_read_inline(s, order_of(fail), pc);                                              \
        if (seen_by_us)                                                                            \
            pl_expected_access(expected, sizeof *p, true, pc);                                     \
        *expected = seen;                                                                          \
        return false;                                                                              \
    }
#define FAST_RMW(bits, type, name, result)                                                         \
    PL_INLINE type name##bits(volatile type *p, type value, int mo, uint64_t pc)                   \
    {                                                                                              \
        if (!ORDINARY)                                                                             \
            return slow_##name##bits(p, value, mo, pc);                                            \
        struct pl_sync *s = pl_atomic_begin_inline((uint64_t)(uintptr_t)p, sizeof *p, pc);         \
        rt.pc = pc;                                                                                \
        type old = *p, new = (type)(result);                                                       \
        CHANGED(old, new);                                                                         \
        *p = new;                                                                                  \
        pl_atomic_update_inline(s, order_of(mo), pc);                                              \
        return old;                                                                                \
    }
#define FAST(bits, type)                                                                           \
    FAST_LOADS(bits, type)                                                                         \
    FAST_RMW(bits, type, exchange, value)                                                          \
    FAST_RMW(bits, type, fetch_add, old + value)                                                   \
    FAST_RMW(bits, type, fetch_sub, old - value)                                                   \
    FAST_RMW(bits, type, fetch_and, old &value)                                                    \
    FAST_RMW(bits, type, fetch_or, old | value)                                                    \
    FAST_RMW(bits, type, fetch_xor, old ^ value)                                                   \
    FAST_RMW(bits, type, fetch_nand, ~(old & value))
FAST(8, uint8_t)
FAST(16, uint16_t)
FAST(32, uint32_t)
FAST(64, uint64_t)

/* 16 bytes: two records each, seldom. */
#define load128       slow_load128
#define store128      slow_store128
#define cas128        slow_cas128
#define exchange128   slow_exchange128
#define fetch_add128  slow_fetch_add128
#define fetch_sub128  slow_fetch_sub128
#define fetch_and128  slow_fetch_and128
#define fetch_or128   slow_fetch_or128
#define fetch_xor128  slow_fetch_xor128
#define fetch_nand128 slow_fetch_nand128

/* ---- __tsan_atomicN_* ---- */

#define TSAN_RMW(bits, type, name)                                                                 \
    PL_EXPORT type __tsan_atomic##bits##_##name(volatile type *p, type value, int mo);             \
    type __tsan_atomic##bits##_##name(volatile type *p, type value, int mo)                        \
    {                                                                                              \
        return name##bits(p, value, mo, PL_CALLER);                                                \
    }
#define TSAN(bits, type)                                                                           \
    PL_EXPORT type __tsan_atomic##bits##_load(const volatile type *p, int mo);                     \
    PL_EXPORT void __tsan_atomic##bits##_store(volatile type *p, type value, int mo);              \
    PL_EXPORT int __tsan_atomic##bits##_compare_exchange_strong(volatile type *p, type *expected,  \
                                                                type value, int mo, int fail);     \
    PL_EXPORT int __tsan_atomic##bits##_compare_exchange_weak(volatile type *p, type *expected,    \
                                                              type value, int mo, int fail);       \
    PL_EXPORT type __tsan_atomic##bits##_compare_exchange_val(volatile type *p, type expected,     \
                                                              type value, int mo, int fail);       \
    PL_HOT type __tsan_atomic##bits##_load(const volatile type *p, int mo)                         \
    {                                                                                              \
        return load##bits(p, mo, PL_CALLER);                                                       \
    }                                                                                              \
    PL_HOT void __tsan_atomic##bits##_store(volatile type *p, type value, int mo)                  \
    {                                                                                              \
        store##bits(p, value, mo, PL_CALLER);                                                      \
    }                                                                                              \
    PL_HOT int __tsan_atomic##bits##_compare_exchange_strong(volatile type *p, type *expected,     \
                                                             type value, int mo, int fail)         \
    {                                                                                              \
        return cas##bits(p, expected, value, mo, fail, false, true, PL_CALLER);                    \
    }                                                                                              \
    int __tsan_atomic##bits##_compare_exchange_weak(volatile type *p, type *expected, type value,  \
                                                    int mo, int fail)                              \
    {                                                                                              \
        return cas##bits(p, expected, value, mo, fail, true, true, PL_CALLER);                     \
    }                                                                                              \
    type __tsan_atomic##bits##_compare_exchange_val(volatile type *p, type expected, type value,   \
                                                    int mo, int fail)                              \
    {                                                                                              \
        (void)cas##bits(p, &expected, value, mo, fail, false, false, PL_CALLER);                   \
        return expected;                                                                           \
    }                                                                                              \
    TSAN_RMW(bits, type, exchange)                                                                 \
    TSAN_RMW(bits, type, fetch_add)                                                                \
    TSAN_RMW(bits, type, fetch_sub)                                                                \
    TSAN_RMW(bits, type, fetch_and)                                                                \
    TSAN_RMW(bits, type, fetch_or)                                                                 \
    TSAN_RMW(bits, type, fetch_xor)                                                                \
    TSAN_RMW(bits, type, fetch_nand)
TSAN(8, uint8_t)
TSAN(16, uint16_t)
TSAN(32, uint32_t)
TSAN(64, uint64_t)
TSAN(128, u128)

/* ---- what only the own front end emits ---- */

struct plumb_cas {
    uint64_t old, ok;
};
PL_EXPORT struct plumb_cas __plumb_cas_weak(void *p, uint64_t size, uint64_t expected,
                                            uint64_t desired, int mo, int fail);

#define CAS_WEAK(bits, type)                                                                       \
    case sizeof(type): {                                                                           \
        type seen = (type)expected;                                                                \
        bool ok = cas##bits(p, &seen, (type)desired, mo, fail, true, false, pc);                   \
        return (struct plumb_cas){seen, ok};                                                       \
    }
PL_HOT struct plumb_cas __plumb_cas_weak(void *p, uint64_t size, uint64_t expected,
                                         uint64_t desired, int mo, int fail)
{
    uint64_t pc = PL_CALLER;
    switch (size) {
        CAS_WEAK(8, uint8_t)
        CAS_WEAK(16, uint16_t)
        CAS_WEAK(32, uint32_t)
    default:
        CAS_WEAK(64, uint64_t)
    }
}

/* The updates that have no instruction, and no name of __tsan_'s: numbered as in
   src/instrument/atomics.c. Made of a load and of compare-exchanges. */
enum { UPDATE_MAX, UPDATE_MIN, UPDATE_UMAX, UPDATE_UMIN, UPDATE_FADD, UPDATE_FSUB };

static uint64_t updated_double(uint64_t old, uint64_t value, bool subtract)
{
    double x, y;
    memcpy(&x, &old, sizeof x);
    memcpy(&y, &value, sizeof y);
    x = subtract ? x - y : x + y;
    memcpy(&old, &x, sizeof old);
    return old;
}

static uint64_t updated_float(uint64_t old, uint64_t value, bool subtract)
{
    float x, y;
    memcpy(&x, &old, sizeof x);
    memcpy(&y, &value, sizeof y);
    x = subtract ? x - y : x + y;
    memcpy(&old, &x, sizeof x);
    return old;
}

static uint64_t updated(uint64_t old, uint64_t value, unsigned size, int operation)
{
    unsigned shift = 64 - size * 8;
    int64_t signed_old = (int64_t)(old << shift), signed_value = (int64_t)(value << shift);

    switch (operation) {
    case UPDATE_MAX:
        return signed_old > signed_value ? old : value;
    case UPDATE_MIN:
        return signed_old < signed_value ? old : value;
    case UPDATE_UMAX:
        return old > value ? old : value;
    case UPDATE_UMIN:
        return old < value ? old : value;
    default:
        return size == 8 ? updated_double(old, value, operation == UPDATE_FSUB)
                         : updated_float(old, value, operation == UPDATE_FSUB);
    }
}

PL_EXPORT uint64_t __plumb_update(void *p, uint64_t size, uint64_t value, int operation, int mo);

#define UPDATE(bits, type)                                                                         \
    case sizeof(type): {                                                                           \
        type old = load##bits(p, __ATOMIC_RELAXED, pc);                                            \
        while (!cas##bits(p, &old, (type)updated(old, value, sizeof old, operation), mo,           \
                          __ATOMIC_RELAXED, false, false, pc))                                     \
            ;                                                                                      \
        return old;                                                                                \
    }
uint64_t __plumb_update(void *p, uint64_t size, uint64_t value, int operation, int mo)
{
    uint64_t pc = PL_CALLER;
    switch (size) {
        UPDATE(8, uint8_t)
        UPDATE(16, uint16_t)
        UPDATE(32, uint32_t)
    default:
        UPDATE(64, uint64_t)
    }
}

/* ---- fences ---- */

PL_EXPORT void __tsan_atomic_thread_fence(int mo);
PL_EXPORT void __tsan_atomic_signal_fence(int mo);
void __tsan_atomic_thread_fence(int mo)
{
    uint64_t pc = PL_CALLER;
    if (!rt.active)
        return;
    if (rt.exploring)
        pl_model_fence(order_of(mo), pc);
    else
        pl_atomic_fence(order_of(mo), pc);
    TRACE(PL_EVENT_FENCE, NULL, 0, order_of(mo), 0, 0, pc);
}
void __tsan_atomic_signal_fence(int mo)
{
    (void)mo;
}

/* Annotations of ThreadSanitizer's own interface. */
PL_EXPORT void __tsan_acquire(void *p);
PL_EXPORT void __tsan_release(void *p);
void __tsan_acquire(void *p)
{
    if (rt.active)
        pl_acquire(pl_sync_object(PL_SYNC_FUTEX, p, PL_CALLER, NULL)->release);
}
void __tsan_release(void *p)
{
    if (rt.active)
        pl_release_join(pl_sync_object(PL_SYNC_FUTEX, p, PL_CALLER, NULL)->release);
}

/* ---- libatomic: __atomic_*_N and the generic forms ---- */

#define LIB_RMW(n, bits, type, name)                                                               \
    PL_EXPORT type lib_##name##n(volatile void *p, type value,                                     \
                                 int mo) __asm__("__atomic_" #name "_" #n);                        \
    type lib_##name##n(volatile void *p, type value, int mo)                                       \
    {                                                                                              \
        return name##bits((volatile type *)p, value, mo, PL_CALLER);                               \
    }
#define LIB(n, bits, type)                                                                         \
    PL_EXPORT type lib_load##n(const volatile void *p, int mo) __asm__("__atomic_load_" #n);       \
    PL_EXPORT void lib_store##n(volatile void *p, type value,                                      \
                                int mo) __asm__("__atomic_store_" #n);                             \
    PL_EXPORT bool lib_cas##n(volatile void *p, void *expected, type value, int mo,                \
                              int fail) __asm__("__atomic_compare_exchange_" #n);                  \
    type lib_load##n(const volatile void *p, int mo)                                               \
    {                                                                                              \
        return load##bits((const volatile type *)p, mo, PL_CALLER);                                \
    }                                                                                              \
    void lib_store##n(volatile void *p, type value, int mo)                                        \
    {                                                                                              \
        store##bits((volatile type *)p, value, mo, PL_CALLER);                                     \
    }                                                                                              \
    bool lib_cas##n(volatile void *p, void *expected, type value, int mo, int fail)                \
    {                                                                                              \
        return cas##bits((volatile type *)p, expected, value, mo, fail, false, true, PL_CALLER);   \
    }                                                                                              \
    LIB_RMW(n, bits, type, exchange)                                                               \
    LIB_RMW(n, bits, type, fetch_add)                                                              \
    LIB_RMW(n, bits, type, fetch_sub)                                                              \
    LIB_RMW(n, bits, type, fetch_and)                                                              \
    LIB_RMW(n, bits, type, fetch_or)                                                               \
    LIB_RMW(n, bits, type, fetch_xor)                                                              \
    LIB_RMW(n, bits, type, fetch_nand)
LIB(1, 8, uint8_t)
LIB(2, 16, uint16_t)
LIB(4, 32, uint32_t)
LIB(8, 64, uint64_t)
LIB(16, 128, u128)

/* Objects of any size: one access, seen as one relaxed or stronger atomic on all bytes. */
PL_EXPORT void lib_load(size_t n, const volatile void *p, void *to,
                        int mo) __asm__("__atomic_load");
PL_EXPORT void lib_store(size_t n, volatile void *p, const void *from,
                         int mo) __asm__("__atomic_store");
PL_EXPORT void lib_exchange(size_t n, volatile void *p, const void *from, void *to,
                            int mo) __asm__("__atomic_exchange");
PL_EXPORT bool lib_compare_exchange(size_t n, volatile void *p, void *expected, const void *from,
                                    int mo, int fail) __asm__("__atomic_compare_exchange");
PL_EXPORT bool lib_is_lock_free(size_t n, const volatile void *p) __asm__("__atomic_is_lock_free");

bool lib_is_lock_free(size_t n, const volatile void *p)
{
    return n <= 16 && (n & (n - 1)) == 0 && ((uintptr_t)p & (n - 1)) == 0;
}

/* clang calls the general form for 16 bytes unless it may use the instruction. */
static bool is_sixteen(size_t n, const volatile void *p)
{
    return n == 16 && ((uintptr_t)p & 15) == 0;
}

static void refuse_explored(uint64_t pc)
{
    if (pl_unlikely(rt.active && rt.exploring))
        pl_unsupported(
            "atomics of more than 16 bytes, or of an odd number of them, are not explored", pc);
}

void lib_load(size_t n, const volatile void *p, void *to, int mo)
{
    uint64_t pc = PL_CALLER;
    if (is_sixteen(n, p)) {
        u128 value = load128((const volatile u128 *)p, mo, pc);
        memcpy(to, &value, sizeof value);
        return;
    }
    refuse_explored(pc);
    if (rt.active) {
        struct pl_sync *s = pl_atomic_begin((uint64_t)(uintptr_t)p, (unsigned)n, pc);
        TRACE(PL_EVENT_LOAD, p, (uint32_t)n, order_of(mo), 0, 0, pc);
        pl_atomic_read(s, (unsigned)n, order_of(mo), pc);
    }
    memmove(to, (const void *)(uintptr_t)p, n);
}

void lib_store(size_t n, volatile void *p, const void *from, int mo)
{
    uint64_t pc = PL_CALLER;
    if (is_sixteen(n, p)) {
        u128 value;
        memcpy(&value, from, sizeof value);
        store128((volatile u128 *)p, value, mo, pc);
        return;
    }
    refuse_explored(pc);
    if (rt.active) {
        struct pl_sync *s = pl_atomic_begin((uint64_t)(uintptr_t)p, (unsigned)n, pc);
        TRACE(PL_EVENT_STORE, p, (uint32_t)n, order_of(mo), 0, 0, pc);
        pl_atomic_write(s, (unsigned)n, order_of(mo), pc);
        rt.last_change = rt.steps;
    }
    memmove((void *)(uintptr_t)p, from, n);
}

void lib_exchange(size_t n, volatile void *p, const void *from, void *to, int mo)
{
    uint64_t pc = PL_CALLER;
    if (is_sixteen(n, p)) {
        u128 value;
        memcpy(&value, from, sizeof value);
        value = exchange128((volatile u128 *)p, value, mo, pc);
        memcpy(to, &value, sizeof value);
        return;
    }
    refuse_explored(pc);
    if (rt.active) {
        struct pl_sync *s = pl_atomic_begin((uint64_t)(uintptr_t)p, (unsigned)n, pc);
        TRACE(PL_EVENT_EXCHANGE, p, (uint32_t)n, order_of(mo), 0, 0, pc);
        pl_atomic_update(s, (unsigned)n, order_of(mo), pc);
        rt.last_change = rt.steps;
    }
    unsigned char *memory = (unsigned char *)(uintptr_t)p, *out = to;
    for (size_t i = 0; i < n; i++) { /* from and to may be the same object */
        unsigned char old = memory[i];
        memory[i] = ((const unsigned char *)from)[i];
        out[i] = old;
    }
}

bool lib_compare_exchange(size_t n, volatile void *p, void *expected, const void *from, int mo,
                          int fail)
{
    uint64_t pc = PL_CALLER;
    if (is_sixteen(n, p)) {
        u128 value, wanted;
        memcpy(&value, expected, sizeof value);
        memcpy(&wanted, from, sizeof wanted);
        bool ok = cas128((volatile u128 *)p, &value, wanted, mo, fail, false, false, pc);
        if (!ok)
            memcpy(expected, &value, sizeof value);
        return ok;
    }
    refuse_explored(pc);
    void *memory = (void *)(uintptr_t)p;
    struct pl_sync *s = rt.active ? pl_atomic_begin((uint64_t)(uintptr_t)p, (unsigned)n, pc) : NULL;
    bool equal = memcmp(memory, expected, n) == 0;
    if (s) {
        TRACE(equal ? PL_EVENT_CAS_OK : PL_EVENT_CAS_FAIL, p, (uint32_t)n,
              order_of(equal ? mo : fail), 0, 0, pc);
        if (equal)
            pl_atomic_update(s, (unsigned)n, order_of(mo), pc);
        else
            pl_atomic_read(s, (unsigned)n, order_of(fail), pc);
        rt.last_change = equal ? rt.steps : rt.last_change;
    }
    if (equal)
        memmove(memory, from, n);
    else
        memmove(expected, memory, n);
    return equal;
}
