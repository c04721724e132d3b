/*
 * str*: strings that end in a NUL. The bytes announced are those the function
 * really looks at: with the NUL, and for a comparison up to the deciding byte.
 *
 * Each function first finds the extent, announces it (another thread may run then,
 * with --races=allow), and only then does its work on what is there now.
 */
#include <emmintrin.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "runtime/libc.h"

#ifndef __clang__
#pragma GCC optimize("no-tree-loop-distribute-patterns")
#endif

#define REAL_TABLE(X)                                                                              \
    X(int, strcasecmp, (const char *, const char *))                                               \
    X(int, strncasecmp, (const char *, const char *, size_t))                                      \
    X(char *, strstr, (const char *, const char *))                                                \
    X(char *, strcasestr, (const char *, const char *))                                            \
    X(void *, memmem, (const void *, size_t, const void *, size_t))                                \
    X(int, strcoll, (const char *, const char *))                                                  \
    X(size_t, strxfrm, (char *, const char *, size_t))
REAL_TABLE(PL_REAL_POINTER)
#define REAL(name) (*(real_##name ? real_##name : (pl_string_init(), real_##name)))

void pl_string_init(void)
{
    REAL_TABLE(PL_REAL_FIND)
}

/* ---- the work ---- */

/* Whole aligned blocks of 16 bytes: they never cross into another page. */
static inline size_t length(const char *s)
{
    const __m128i zero = _mm_setzero_si128();
    const char *block = (const char *)((uintptr_t)s & ~(uintptr_t)15);
    unsigned here = (unsigned)_mm_movemask_epi8(
        _mm_cmpeq_epi8(_mm_load_si128((const __m128i *)(const void *)block), zero));
    here >>= (unsigned)(s - block);
    if (here)
        return (size_t)__builtin_ctz(here);
    do {
        block += 16;
        here = (unsigned)_mm_movemask_epi8(
            _mm_cmpeq_epi8(_mm_load_si128((const __m128i *)(const void *)block), zero));
    } while (!here);
    return (size_t)(block - s) + (size_t)__builtin_ctz(here);
}

static size_t length_within(const char *s, size_t n)
{
    size_t i = 0;
    while (i < n && s[i])
        i++;
    return i;
}

/* Index of the byte that decides a comparison: a difference, the NUL, or n. */
static inline size_t deciding(const char *a, const char *b, size_t n)
{
    size_t i = 0;
    while (i < n && a[i] == b[i] && a[i])
        i++;
    return i;
}

static size_t deciding_folded(const char *a, const char *b, size_t n)
{
    size_t i = 0;
    while (i < n && a[i] && b[i] && REAL(strncasecmp)(a + i, b + i, 1) == 0)
        i++;
    return i;
}

/* How long the string is up to c or its NUL. */
static size_t until(const char *s, char c)
{
    size_t i = 0;
    while (s[i] && s[i] != c)
        i++;
    return i;
}

static inline char *mutable(const char *s)
{
    return (char *)(uintptr_t)s;
}

static void read_string(const char *s, uint64_t pc)
{
    pl_read_range(s, length(s) + 1, pc);
}

/* Both strings of a comparison, up to the deciding byte. */
static void read_both(const char *a, const char *b, size_t decided, size_t n, uint64_t pc)
{
    size_t bytes = decided + (decided < n);
    pl_read_range(a, bytes, pc);
    pl_read_range(b, bytes, pc);
}

/* Copies n bytes of a string, announced. */
static inline void copy(char *to, const char *from, size_t n, uint64_t pc)
{
    if (pl_is_announced(pc))
        pl_copy_range(to, from, n, pc);
    memmove(to, from, n);
}

/* ---- lengths and copies ---- */

PL_EXPORT PL_HOT size_t strlen(const char *s)
{
    uint64_t pc = PL_CALLER;
    if (pl_unlikely(pl_is_announced(pc))) {
        rt.pc = pc;
        read_string(s, pc);
    }
    return length(s);
}

PL_EXPORT size_t strnlen(const char *s, size_t n)
{
    uint64_t pc = PL_CALLER;
    if (pl_unlikely(pl_is_announced(pc))) {
        rt.pc = pc;
        size_t found = length_within(s, n);
        pl_read_range(s, found + (found < n), pc);
    }
    return length_within(s, n);
}

static inline char *copy_string(char *to, const char *from, size_t room, uint64_t pc)
{
    rt.pc = pc;
    size_t n = length(from);
    if (pl_unlikely(n >= room))
        pl_fortify_overflow(to, n + 1, pc);
    copy(to, from, n + 1, pc);
    return to + n;
}

static char *copy_padded(char *to, const char *from, size_t n, size_t room, uint64_t pc)
{
    rt.pc = pc;
    if (pl_unlikely(n > room))
        pl_fortify_overflow(to, n, pc);
    size_t found = length_within(from, n);
    copy(to, from, found + (found < n), pc);
    if (found + 1 < n) {
        if (pl_is_announced(pc))
            pl_write_range(to + found + 1, n - found - 1, pc);
        memset(to + found + 1, 0, n - found - 1);
    }
    return to + found;
}

/* Appends at most n bytes and a NUL. */
static void append(char *to, const char *from, size_t n, size_t room, uint64_t pc)
{
    rt.pc = pc;
    size_t used = length(to), more = n == SIZE_MAX ? length(from) : length_within(from, n);
    if (pl_unlikely(used >= room || more >= room - used))
        pl_fortify_overflow(to, used + more + 1, pc);
    if (pl_is_announced(pc)) {
        pl_read_range(to, used + 1, pc);
        pl_read_range(from, more + (more < n), pc);
        pl_write_range(to + used, more + 1, pc);
    }
    memmove(to + used, from, more);
    to[used + more] = '\0';
}

PL_EXPORT char *__strcpy_chk(char *to, const char *from, size_t room);
PL_EXPORT char *__stpcpy_chk(char *to, const char *from, size_t room);
PL_EXPORT char *__strncpy_chk(char *to, const char *from, size_t n, size_t room);
PL_EXPORT char *__stpncpy_chk(char *to, const char *from, size_t n, size_t room);
PL_EXPORT char *__strcat_chk(char *to, const char *from, size_t room);
PL_EXPORT char *__strncat_chk(char *to, const char *from, size_t n, size_t room);
PL_EXPORT char *__strdup(const char *s);
PL_EXPORT char *__strndup(const char *s, size_t n);

PL_EXPORT char *strcpy(char *restrict to, const char *restrict from)
{
    copy_string(to, from, SIZE_MAX, PL_CALLER);
    return to;
}

char *__strcpy_chk(char *to, const char *from, size_t room)
{
    copy_string(to, from, room, PL_CALLER);
    return to;
}

PL_EXPORT char *stpcpy(char *restrict to, const char *restrict from)
{
    return copy_string(to, from, SIZE_MAX, PL_CALLER);
}

char *__stpcpy_chk(char *to, const char *from, size_t room)
{
    return copy_string(to, from, room, PL_CALLER);
}

PL_EXPORT char *strncpy(char *restrict to, const char *restrict from, size_t n)
{
    copy_padded(to, from, n, SIZE_MAX, PL_CALLER);
    return to;
}

char *__strncpy_chk(char *to, const char *from, size_t n, size_t room)
{
    copy_padded(to, from, n, room, PL_CALLER);
    return to;
}

PL_EXPORT char *stpncpy(char *restrict to, const char *restrict from, size_t n)
{
    return copy_padded(to, from, n, SIZE_MAX, PL_CALLER);
}

char *__stpncpy_chk(char *to, const char *from, size_t n, size_t room)
{
    return copy_padded(to, from, n, room, PL_CALLER);
}

PL_EXPORT char *strcat(char *restrict to, const char *restrict from)
{
    append(to, from, SIZE_MAX, SIZE_MAX, PL_CALLER);
    return to;
}

char *__strcat_chk(char *to, const char *from, size_t room)
{
    append(to, from, SIZE_MAX, room, PL_CALLER);
    return to;
}

PL_EXPORT char *strncat(char *restrict to, const char *restrict from, size_t n)
{
    append(to, from, n, SIZE_MAX, PL_CALLER);
    return to;
}

char *__strncat_chk(char *to, const char *from, size_t n, size_t room)
{
    append(to, from, n, room, PL_CALLER);
    return to;
}

static char *duplicate(const char *s, size_t n, uint64_t pc)
{
    rt.pc = pc;
    size_t found = n == SIZE_MAX ? length(s) : length_within(s, n);
    char *to = malloc(found + 1);
    if (!to)
        return NULL;
    copy(to, s, found, pc);
    if (pl_is_announced(pc)) {
        if (found < n)
            pl_read_range(s + found, 1, pc);
        pl_write_range(to + found, 1, pc);
    }
    to[found] = '\0';
    return to;
}

PL_EXPORT char *strdup(const char *s)
{
    return duplicate(s, SIZE_MAX, PL_CALLER);
}
PL_EXPORT char *strndup(const char *s, size_t n)
{
    return duplicate(s, n, PL_CALLER);
}
char *__strdup(const char *s)
{
    return duplicate(s, SIZE_MAX, PL_CALLER);
}
char *__strndup(const char *s, size_t n)
{
    return duplicate(s, n, PL_CALLER);
}

/* ---- comparisons ---- */

static inline int compare(const char *a, const char *b, size_t n, uint64_t pc)
{
    if (pl_unlikely(pl_is_announced(pc))) {
        rt.pc = pc;
        read_both(a, b, deciding(a, b, n), n, pc);
    }
    size_t i = deciding(a, b, n);
    return i == n ? 0 : (uint8_t)a[i] - (uint8_t)b[i];
}

PL_EXPORT int strcmp(const char *a, const char *b)
{
    return compare(a, b, SIZE_MAX, PL_CALLER);
}

PL_EXPORT int strncmp(const char *a, const char *b, size_t n)
{
    return compare(a, b, n, PL_CALLER);
}

PL_EXPORT int strcasecmp(const char *a, const char *b)
{
    uint64_t pc = PL_CALLER;
    if (pl_unlikely(pl_is_announced(pc))) {
        rt.pc = pc;
        read_both(a, b, deciding_folded(a, b, SIZE_MAX), SIZE_MAX, pc);
    }
    return REAL(strcasecmp)(a, b);
}

PL_EXPORT int strncasecmp(const char *a, const char *b, size_t n)
{
    uint64_t pc = PL_CALLER;
    if (pl_unlikely(pl_is_announced(pc))) {
        rt.pc = pc;
        read_both(a, b, deciding_folded(a, b, n), n, pc);
    }
    return REAL(strncasecmp)(a, b, n);
}

PL_EXPORT int strcoll(const char *a, const char *b)
{
    uint64_t pc = PL_CALLER;
    if (pl_unlikely(pl_is_announced(pc))) {
        rt.pc = pc;
        read_string(a, pc);
        read_string(b, pc);
    }
    return REAL(strcoll)(a, b);
}

PL_EXPORT size_t strxfrm(char *restrict to, const char *restrict from, size_t n)
{
    uint64_t pc = PL_CALLER;
    bool subject = pl_is_announced(pc);
    rt.pc = pc;
    if (subject)
        read_string(from, pc);
    size_t made = REAL(strxfrm)(to, from, n);
    if (subject && n)
        pl_write_range(to, made < n ? made + 1 : n, pc);
    return made;
}

/* ---- searches ---- */

static inline char *find(const char *s, int c, bool or_end, uint64_t pc)
{
    if (pl_unlikely(pl_is_announced(pc))) {
        rt.pc = pc;
        pl_read_range(s, until(s, (char)c) + 1, pc);
    }
    size_t i = until(s, (char)c);
    return s[i] == (char)c || or_end ? mutable(s + i) : NULL;
}

PL_EXPORT char *strchr(const char *s, int c)
{
    return find(s, c, false, PL_CALLER);
}
PL_EXPORT char *strchrnul(const char *s, int c)
{
    return find(s, c, true, PL_CALLER);
}
PL_EXPORT char *index(const char *s, int c)
{
    return find(s, c, false, PL_CALLER);
}

static char *find_last(const char *s, int c, uint64_t pc)
{
    if (pl_unlikely(pl_is_announced(pc))) {
        rt.pc = pc;
        read_string(s, pc);
    }
    for (size_t i = length(s) + 1; i > 0; i--)
        if (s[i - 1] == (char)c)
            return mutable(s + i - 1);
    return NULL;
}

PL_EXPORT char *strrchr(const char *s, int c)
{
    return find_last(s, c, PL_CALLER);
}
PL_EXPORT char *rindex(const char *s, int c)
{
    return find_last(s, c, PL_CALLER);
}

/* How many bytes at the start of s are in the set (or, wanted == false, are not). */
static size_t span(const char *s, const char *set, bool wanted)
{
    bool in[256] = {false};
    for (size_t i = 0; set[i]; i++)
        in[(uint8_t)set[i]] = true;
    size_t i = 0;
    while (s[i] && in[(uint8_t)s[i]] == wanted)
        i++;
    return i;
}

static size_t span_seen(const char *s, const char *set, bool wanted, uint64_t pc)
{
    if (pl_unlikely(pl_is_announced(pc))) {
        rt.pc = pc;
        read_string(set, pc);
        pl_read_range(s, span(s, set, wanted) + 1, pc);
    }
    return span(s, set, wanted);
}

PL_EXPORT size_t strspn(const char *s, const char *set)
{
    return span_seen(s, set, true, PL_CALLER);
}

PL_EXPORT size_t strcspn(const char *s, const char *set)
{
    return span_seen(s, set, false, PL_CALLER);
}

PL_EXPORT char *strpbrk(const char *s, const char *set)
{
    const char *at = s + span_seen(s, set, false, PL_CALLER);
    return *at ? mutable(at) : NULL;
}

/* What a search looks at: up to the end of the match, else all. */
static void read_search(const char *s, const char *match, size_t needle, uint64_t pc)
{
    pl_read_range(s, match ? (size_t)(match - s) + needle : length(s) + 1, pc);
}

PL_EXPORT char *strstr(const char *s, const char *needle)
{
    uint64_t pc = PL_CALLER;
    if (pl_unlikely(pl_is_announced(pc))) {
        rt.pc = pc;
        read_string(needle, pc);
        read_search(s, REAL(strstr)(s, needle), length(needle), pc);
    }
    return REAL(strstr)(s, needle);
}

PL_EXPORT char *strcasestr(const char *s, const char *needle)
{
    uint64_t pc = PL_CALLER;
    if (pl_unlikely(pl_is_announced(pc))) {
        rt.pc = pc;
        read_string(needle, pc);
        read_search(s, REAL(strcasestr)(s, needle), length(needle), pc);
    }
    return REAL(strcasestr)(s, needle);
}

PL_EXPORT void *memmem(const void *s, size_t n, const void *needle, size_t bytes)
{
    uint64_t pc = PL_CALLER;
    if (pl_unlikely(pl_is_announced(pc))) {
        rt.pc = pc;
        const char *match = REAL(memmem)(s, n, needle, bytes);
        pl_read_range(needle, bytes, pc);
        pl_read_range(s, match ? (size_t)(match - (const char *)s) + bytes : n, pc);
    }
    return REAL(memmem)(s, n, needle, bytes);
}

/* ---- tokens ---- */

static char *token(char *s, const char *set, char **rest, uint64_t pc)
{
    rt.pc = pc;
    if (!s)
        s = *rest;
    if (!s)
        return NULL;
    s += span_seen(s, set, true, pc);
    if (!*s) {
        *rest = s;
        return NULL;
    }
    char *end = s + span_seen(s, set, false, pc);
    if (*end) {
        if (pl_is_announced(pc))
            pl_write_range(end, 1, pc);
        *end++ = '\0';
    }
    *rest = end;
    return s;
}

PL_EXPORT char *__strtok_r(char *restrict s, const char *restrict set, char **restrict rest);

PL_EXPORT char *strtok_r(char *restrict s, const char *restrict set, char **restrict rest)
{
    return token(s, set, rest, PL_CALLER);
}

char *__strtok_r(char *restrict s, const char *restrict set, char **restrict rest)
{
    return token(s, set, rest, PL_CALLER);
}

/* Where the next strtok goes on: one place for all threads, as libc has it. */
static struct {
    char *rest;
    uint32_t generation;
} strtok_state;

PL_EXPORT char *strtok(char *restrict s, const char *restrict set)
{
    uint64_t pc = PL_CALLER;
    rt.unkept = true;
    if (strtok_state.generation != rt.generation) {
        strtok_state.generation = rt.generation;
        strtok_state.rest = NULL;
    }
    return token(s, set, &strtok_state.rest, pc);
}

PL_EXPORT char *strsep(char **restrict s, const char *restrict set)
{
    uint64_t pc = PL_CALLER;
    char *start = *s;
    if (!start)
        return NULL;
    char *end = start + span_seen(start, set, false, pc);
    if (*end) {
        if (pl_is_announced(pc))
            pl_write_range(end, 1, pc);
        *end++ = '\0';
        *s = end;
    } else {
        *s = NULL;
    }
    return start;
}
