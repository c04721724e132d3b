/*
 * mem*: copying, filling, comparing. Own code, because these run from the first
 * instruction of the process on, before anything could be looked up, and because
 * the runtime's own struct copies end here, too.
 *
 * Invariants:
 * I1  Without the subject as caller nothing but the work is done: no shadow, no TLS.
 * I2  The accesses are announced before they are made, like the compiler's own.
 * I3  No function here may be compiled into a call of itself: loops move vectors,
 *     and loop patterns are off for the runtime (cmake/Flags.cmake).
 */
#include <emmintrin.h>
#include <string.h>

#include "runtime/libc.h"

#ifndef __clang__
#pragma GCC optimize("no-tree-loop-distribute-patterns")
#endif

typedef uint16_t unaligned16 __attribute__((aligned(1), may_alias));
typedef uint32_t unaligned32 __attribute__((aligned(1), may_alias));
typedef uint64_t unaligned64 __attribute__((aligned(1), may_alias));

enum { REP_FROM = 1024 }; /* from here on the processor's own string instructions win */

static inline __m128i load(const char *p)
{
    return _mm_loadu_si128((const __m128i_u *)p);
}
static inline void store(char *p, __m128i v)
{
    _mm_storeu_si128((__m128i_u *)p, v);
}

/* ---- the work ---- */

/* Up to 64 bytes, which may overlap: everything is loaded before anything is stored. */
static inline void move_small(char *to, const char *from, size_t n)
{
    if (n > 32) {
        __m128i a = load(from), b = load(from + 16), c = load(from + n - 32),
                d = load(from + n - 16);
        store(to, a);
        store(to + 16, b);
        store(to + n - 32, c);
        store(to + n - 16, d);
    } else if (n >= 16) {
        __m128i a = load(from), b = load(from + n - 16);
        store(to, a);
        store(to + n - 16, b);
    } else if (n >= 8) {
        uint64_t a = *(const unaligned64 *)from, b = *(const unaligned64 *)(from + n - 8);
        *(unaligned64 *)to = a;
        *(unaligned64 *)(to + n - 8) = b;
    } else if (n >= 4) {
        uint32_t a = *(const unaligned32 *)from, b = *(const unaligned32 *)(from + n - 4);
        *(unaligned32 *)to = a;
        *(unaligned32 *)(to + n - 4) = b;
    } else if (n >= 2) {
        uint16_t a = *(const unaligned16 *)from, b = *(const unaligned16 *)(from + n - 2);
        *(unaligned16 *)to = a;
        *(unaligned16 *)(to + n - 2) = b;
    } else if (n) {
        *to = *from;
    }
}

static void move_up(char *to, const char *from, size_t n)
{
    /* The last 64 bytes first into registers: the loop may overwrite them. */
    __m128i t0 = load(from + n - 64), t1 = load(from + n - 48), t2 = load(from + n - 32),
            t3 = load(from + n - 16);
    for (size_t i = 0; i + 64 < n; i += 64) {
        __m128i a = load(from + i), b = load(from + i + 16), c = load(from + i + 32),
                d = load(from + i + 48);
        store(to + i, a);
        store(to + i + 16, b);
        store(to + i + 32, c);
        store(to + i + 48, d);
    }
    store(to + n - 64, t0);
    store(to + n - 48, t1);
    store(to + n - 32, t2);
    store(to + n - 16, t3);
}

static void move_down(char *to, const char *from, size_t n)
{
    __m128i h0 = load(from), h1 = load(from + 16), h2 = load(from + 32), h3 = load(from + 48);
    for (size_t i = n; i > 64; i -= 64) {
        __m128i a = load(from + i - 64), b = load(from + i - 48), c = load(from + i - 32),
                d = load(from + i - 16);
        store(to + i - 64, a);
        store(to + i - 48, b);
        store(to + i - 32, c);
        store(to + i - 16, d);
    }
    store(to, h0);
    store(to + 16, h1);
    store(to + 32, h2);
    store(to + 48, h3);
}

static void move_large(char *to, const char *from, size_t n)
{
    uintptr_t ahead = (uintptr_t)to - (uintptr_t)from;
    if (n >= REP_FROM && ahead >= n && 0 - ahead >= n)
        __asm__ volatile("rep movsb" : "+D"(to), "+S"(from), "+c"(n) : : "memory");
    else if (ahead >= n)
        move_up(to, from, n);
    else
        move_down(to, from, n);
}

static inline void *move(void *to, const void *from, size_t n)
{
    if (pl_likely(n <= 64))
        move_small(to, from, n);
    else
        move_large(to, from, n);
    return to;
}

static inline void *fill(void *start, int c, size_t n)
{
    char *to = start;
    uint64_t word = (uint8_t)c * 0x0101010101010101u;
    __m128i v = _mm_set1_epi8((char)c);
    if (n >= REP_FROM) {
        __asm__ volatile("rep stosb" : "+D"(to), "+c"(n) : "a"(c) : "memory");
    } else if (n >= 16) {
        for (size_t i = 0; i + 16 < n; i += 16)
            store(to + i, v);
        store(to + n - 16, v);
    } else if (n >= 8) {
        *(unaligned64 *)to = word;
        *(unaligned64 *)(to + n - 8) = word;
    } else if (n >= 4) {
        *(unaligned32 *)to = (uint32_t)word;
        *(unaligned32 *)(to + n - 4) = (uint32_t)word;
    } else if (n >= 2) {
        *(unaligned16 *)to = (uint16_t)word;
        *(unaligned16 *)(to + n - 2) = (uint16_t)word;
    } else if (n) {
        *to = (char)c;
    }
    return start;
}

/* Index of the first byte that differs, n if none. */
static size_t first_difference(const char *a, const char *b, size_t n)
{
    size_t i = 0;
    for (; i + 16 <= n; i += 16) {
        unsigned same = (unsigned)_mm_movemask_epi8(_mm_cmpeq_epi8(load(a + i), load(b + i)));
        if (same != 0xffff)
            return i + (size_t)__builtin_ctz(~same);
    }
    while (i < n && a[i] == b[i])
        i++;
    return i;
}

/* Index of the first byte that is c, n if none. Reads no byte past it but in the same 16. */
static size_t first_equal(const char *s, int c, size_t n)
{
    __m128i v = _mm_set1_epi8((char)c);
    size_t i = 0;
    for (; n - i >= 16; i += 16) {
        unsigned here = (unsigned)_mm_movemask_epi8(_mm_cmpeq_epi8(load(s + i), v));
        if (here)
            return i + (size_t)__builtin_ctz(here);
    }
    while (i < n && s[i] != (char)c)
        i++;
    return i;
}

/* memchr may be told a length beyond the end of the object if the byte comes before
 * it (strnlen, rawmemchr do so): never read a 16 that starts in another page. */
static size_t first_equal_careful(const char *s, int c, size_t n)
{
    size_t i = 0;
    while (i < n) {
        size_t in_page = 4096 - ((uintptr_t)(s + i) & 4095);
        size_t part = n - i < in_page ? n - i : in_page;
        size_t at = first_equal(s + i, c, part);
        i += at;
        if (at < part)
            break;
    }
    return i;
}

static size_t last_equal(const char *s, int c, size_t n)
{
    for (size_t i = n; i > 0; i--)
        if (s[i - 1] == (char)c)
            return i - 1;
    return n;
}

/* ---- what is exported ---- */

PL_EXPORT void *__tsan_memcpy(void *to, const void *from, size_t n);
PL_EXPORT void *__tsan_memmove(void *to, const void *from, size_t n);
PL_EXPORT void *__tsan_memset(void *to, int c, size_t n);
PL_EXPORT void *__memcpy_chk(void *to, const void *from, size_t n, size_t room);
PL_EXPORT void *__memmove_chk(void *to, const void *from, size_t n, size_t room);
PL_EXPORT void *__mempcpy_chk(void *to, const void *from, size_t n, size_t room);
PL_EXPORT void *__memset_chk(void *to, int c, size_t n, size_t room);
/* Under another name: the header says that the old content is not looked at. */
PL_EXPORT void bzero_explicitly(void *to, size_t n) __asm__("explicit_bzero");
PL_EXPORT void __explicit_bzero_chk(void *to, size_t n, size_t room);

static inline void *copy(void *to, const void *from, size_t n, uint64_t pc)
{
    if (pl_is_announced(pc))
        pl_copy_range(to, from, n, pc); /* I2 */
    return move(to, from, n);
}

static inline void *set(void *to, int c, size_t n, uint64_t pc)
{
    if (pl_is_announced(pc))
        pl_write_range(to, n, pc);
    return fill(to, c, n);
}

static inline void check_room(const void *to, size_t n, size_t room, uint64_t pc)
{
    if (pl_unlikely(n > room))
        pl_fortify_overflow(to, n, pc);
}

PL_EXPORT PL_HOT void *memcpy(void *restrict to, const void *restrict from, size_t n)
{
    return copy(to, from, n, PL_CALLER);
}

PL_EXPORT PL_HOT void *memmove(void *to, const void *from, size_t n)
{
    return copy(to, from, n, PL_CALLER);
}

PL_EXPORT PL_HOT void *memset(void *to, int c, size_t n)
{
    return set(to, c, n, PL_CALLER);
}

PL_EXPORT void *mempcpy(void *restrict to, const void *restrict from, size_t n)
{
    return (char *)copy(to, from, n, PL_CALLER) + n;
}

PL_EXPORT void bcopy(const void *from, void *to, size_t n)
{
    copy(to, from, n, PL_CALLER);
}

PL_EXPORT void bzero(void *to, size_t n)
{
    set(to, 0, n, PL_CALLER);
}

void bzero_explicitly(void *to, size_t n)
{
    set(to, 0, n, PL_CALLER);
}

void *__tsan_memcpy(void *to, const void *from, size_t n)
{
    return copy(to, from, n, PL_CALLER);
}

void *__tsan_memmove(void *to, const void *from, size_t n)
{
    return copy(to, from, n, PL_CALLER);
}

void *__tsan_memset(void *to, int c, size_t n)
{
    return set(to, c, n, PL_CALLER);
}

void *__memcpy_chk(void *to, const void *from, size_t n, size_t room)
{
    check_room(to, n, room, PL_CALLER);
    return copy(to, from, n, PL_CALLER);
}

void *__memmove_chk(void *to, const void *from, size_t n, size_t room)
{
    check_room(to, n, room, PL_CALLER);
    return copy(to, from, n, PL_CALLER);
}

void *__mempcpy_chk(void *to, const void *from, size_t n, size_t room)
{
    check_room(to, n, room, PL_CALLER);
    return (char *)copy(to, from, n, PL_CALLER) + n;
}

void *__memset_chk(void *to, int c, size_t n, size_t room)
{
    check_room(to, n, room, PL_CALLER);
    return set(to, c, n, PL_CALLER);
}

void __explicit_bzero_chk(void *to, size_t n, size_t room)
{
    check_room(to, n, room, PL_CALLER);
    set(to, 0, n, PL_CALLER);
}

static inline int compare(const void *a, const void *b, size_t n, uint64_t pc)
{
    if (pl_unlikely(pl_is_announced(pc))) {
        rt.pc = pc;
        size_t touched = first_difference(a, b, n);
        touched += touched < n;
        pl_read_range(a, touched, pc);
        pl_read_range(b, touched, pc);
    }
    size_t i = first_difference(a, b, n);
    return i == n ? 0 : ((const uint8_t *)a)[i] - ((const uint8_t *)b)[i];
}

PL_EXPORT PL_HOT int memcmp(const void *a, const void *b, size_t n)
{
    return compare(a, b, n, PL_CALLER);
}

PL_EXPORT int bcmp(const void *a, const void *b, size_t n)
{
    return compare(a, b, n, PL_CALLER);
}

static void *search(const void *start, int c, size_t n, uint64_t pc)
{
    const char *s = start;
    if (pl_unlikely(pl_is_announced(pc))) {
        rt.pc = pc;
        size_t touched = first_equal_careful(s, c, n);
        pl_read_range(s, touched + (touched < n), pc);
    }
    size_t i = first_equal_careful(s, c, n);
    return i == n ? NULL : (void *)(uintptr_t)(s + i);
}

PL_EXPORT void *memchr(const void *start, int c, size_t n)
{
    return search(start, c, n, PL_CALLER);
}

PL_EXPORT void *rawmemchr(const void *start, int c)
{
    return search(start, c, SIZE_MAX - (uintptr_t)start, PL_CALLER);
}

PL_EXPORT void *memrchr(const void *start, int c, size_t n)
{
    uint64_t pc = PL_CALLER;
    const char *s = start;
    if (pl_unlikely(pl_is_announced(pc))) {
        rt.pc = pc;
        size_t last = last_equal(s, c, n);
        size_t from = last == n ? 0 : last;
        pl_read_range(s + from, n - from, pc);
    }
    size_t i = last_equal(s, c, n);
    return i == n ? NULL : (void *)(uintptr_t)(s + i);
}

/* Copies up to and with the first byte that is c. */
PL_EXPORT void *memccpy(void *restrict to, const void *restrict from, int c, size_t n)
{
    uint64_t pc = PL_CALLER;
    size_t i = first_equal_careful(from, c, n);
    bool found = i < n;
    copy(to, from, i + found, pc);
    return found ? (char *)to + i + 1 : NULL;
}
