/*
 * Wide characters: wcs*, wmem*, and the way between them and bytes. As libc_string.c:
 * the characters announced are those the function looks at, with the NUL.
 */
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <wchar.h>

#include "runtime/libc.h"

#ifndef __clang__
#pragma GCC optimize("no-tree-loop-distribute-patterns")
#endif

enum { WIDE = sizeof(wchar_t) };

#define REAL_TABLE(X)                                                                              \
    X(wchar_t *, wcsstr, (const wchar_t *, const wchar_t *))                                       \
    X(size_t, wcsspn, (const wchar_t *, const wchar_t *))                                          \
    X(size_t, wcscspn, (const wchar_t *, const wchar_t *))                                         \
    X(int, wcscasecmp, (const wchar_t *, const wchar_t *))                                         \
    X(int, wcscoll, (const wchar_t *, const wchar_t *))                                            \
    X(size_t, mbstowcs, (wchar_t *, const char *, size_t))                                         \
    X(size_t, wcstombs, (char *, const wchar_t *, size_t))                                         \
    X(size_t, mbsrtowcs, (wchar_t *, const char **, size_t, mbstate_t *))                          \
    X(size_t, wcsrtombs, (char *, const wchar_t **, size_t, mbstate_t *))                          \
    X(int, mbtowc, (wchar_t *, const char *, size_t))                                              \
    X(int, wctomb, (char *, wchar_t))                                                              \
    X(size_t, mbrtowc, (wchar_t *, const char *, size_t, mbstate_t *))                             \
    X(size_t, wcrtomb, (char *, wchar_t, mbstate_t *))                                             \
    X(long, wcstol, (const wchar_t *, wchar_t **, int))                                            \
    X(unsigned long, wcstoul, (const wchar_t *, wchar_t **, int))                                  \
    X(double, wcstod, (const wchar_t *, wchar_t **))                                               \
    X(int, vswprintf, (wchar_t *, size_t, const wchar_t *, va_list))
REAL_TABLE(PL_REAL_POINTER)
#define REAL(name) (*(real_##name ? real_##name : (pl_wide_init(), real_##name)))

void pl_wide_init(void)
{
    REAL_TABLE(PL_REAL_FIND)
}

static size_t length(const wchar_t *s)
{
    size_t n = 0;
    while (s[n])
        n++;
    return n;
}

static size_t length_within(const wchar_t *s, size_t most)
{
    size_t n = 0;
    while (n < most && s[n])
        n++;
    return n;
}

static void read_wide(const wchar_t *s, size_t n, uint64_t pc)
{
    if (pl_is_announced(pc))
        pl_read_range(s, n * WIDE, pc);
}

static void write_wide(const wchar_t *s, size_t n, uint64_t pc)
{
    if (pl_is_announced(pc))
        pl_write_range(s, n * WIDE, pc);
}

static void wrote(const void *to, size_t bytes, uint64_t pc)
{
    if (to && pl_is_announced(pc))
        pl_write_range(to, bytes, pc);
}

static void was_read(const void *from, size_t bytes, uint64_t pc)
{
    if (from && pl_is_announced(pc))
        pl_read_range(from, bytes, pc);
}

static wchar_t *copy(wchar_t *to, const wchar_t *from, size_t n, uint64_t pc)
{
    if (pl_is_announced(pc))
        pl_copy_range(to, from, n * WIDE, pc);
    return memmove(to, from, n * WIDE);
}

/* ---- blocks ---- */

PL_EXPORT wchar_t *wmemcpy(wchar_t *restrict to, const wchar_t *restrict from, size_t n)
{
    return copy(to, from, n, PL_CALLER);
}

PL_EXPORT wchar_t *wmemmove(wchar_t *to, const wchar_t *from, size_t n)
{
    return copy(to, from, n, PL_CALLER);
}

PL_EXPORT wchar_t *wmempcpy(wchar_t *restrict to, const wchar_t *restrict from, size_t n)
{
    return copy(to, from, n, PL_CALLER) + n;
}

PL_EXPORT wchar_t *wmemset(wchar_t *to, wchar_t c, size_t n)
{
    write_wide(to, n, PL_CALLER);
    for (size_t i = 0; i < n; i++)
        to[i] = c;
    return to;
}

static size_t deciding(const wchar_t *a, const wchar_t *b, size_t n, bool strings)
{
    size_t i = 0;
    while (i < n && a[i] == b[i] && !(strings && !a[i]))
        i++;
    return i;
}

static int compare(const wchar_t *a, const wchar_t *b, size_t n, bool strings, uint64_t pc)
{
    size_t i = deciding(a, b, n, strings);
    read_wide(a, i + (i < n), pc);
    read_wide(b, i + (i < n), pc);
    return i == n || a[i] == b[i] ? 0 : a[i] < b[i] ? -1 : 1;
}

PL_EXPORT int wmemcmp(const wchar_t *a, const wchar_t *b, size_t n)
{
    return compare(a, b, n, false, PL_CALLER);
}

PL_EXPORT wchar_t *wmemchr(const wchar_t *s, wchar_t c, size_t n)
{
    size_t i = 0;
    while (i < n && s[i] != c)
        i++;
    read_wide(s, i + (i < n), PL_CALLER);
    return i < n ? (wchar_t *)(uintptr_t)(s + i) : NULL;
}

/* ---- strings ---- */

PL_EXPORT size_t wcslen(const wchar_t *s)
{
    size_t n = length(s);
    read_wide(s, n + 1, PL_CALLER);
    return n;
}

PL_EXPORT size_t wcsnlen(const wchar_t *s, size_t most)
{
    size_t n = length_within(s, most);
    read_wide(s, n + (n < most), PL_CALLER);
    return n;
}

PL_EXPORT int wcscmp(const wchar_t *a, const wchar_t *b)
{
    return compare(a, b, SIZE_MAX, true, PL_CALLER);
}

PL_EXPORT int wcsncmp(const wchar_t *a, const wchar_t *b, size_t n)
{
    return compare(a, b, n, true, PL_CALLER);
}

PL_EXPORT wchar_t *wcscpy(wchar_t *restrict to, const wchar_t *restrict from)
{
    return copy(to, from, length(from) + 1, PL_CALLER);
}

PL_EXPORT wchar_t *wcpcpy(wchar_t *restrict to, const wchar_t *restrict from)
{
    size_t n = length(from);
    return copy(to, from, n + 1, PL_CALLER) + n;
}

PL_EXPORT wchar_t *wcsncpy(wchar_t *restrict to, const wchar_t *restrict from, size_t n)
{
    uint64_t pc = PL_CALLER;
    size_t found = length_within(from, n), copied = found + (found < n);
    copy(to, from, copied, pc);
    write_wide(to + copied, n - copied, pc);
    for (size_t i = copied; i < n; i++)
        to[i] = L'\0';
    return to;
}

static wchar_t *append(wchar_t *to, const wchar_t *from, size_t n, uint64_t pc)
{
    size_t used = length(to), more = length_within(from, n);
    read_wide(to, used + 1, pc);
    read_wide(from, more + (more < n), pc);
    write_wide(to + used, more + 1, pc);
    memmove(to + used, from, more * WIDE);
    to[used + more] = L'\0';
    return to;
}

PL_EXPORT wchar_t *wcscat(wchar_t *restrict to, const wchar_t *restrict from)
{
    return append(to, from, SIZE_MAX, PL_CALLER);
}

PL_EXPORT wchar_t *wcsncat(wchar_t *restrict to, const wchar_t *restrict from, size_t n)
{
    return append(to, from, n, PL_CALLER);
}

PL_EXPORT wchar_t *wcsdup(const wchar_t *s)
{
    uint64_t pc = PL_CALLER;
    size_t n = length(s) + 1;
    wchar_t *to = malloc(n * WIDE);
    return to ? copy(to, s, n, pc) : NULL;
}

PL_EXPORT wchar_t *wcschr(const wchar_t *s, wchar_t c)
{
    size_t i = 0;
    while (s[i] && s[i] != c)
        i++;
    read_wide(s, i + 1, PL_CALLER);
    return s[i] == c ? (wchar_t *)(uintptr_t)(s + i) : NULL;
}

PL_EXPORT wchar_t *wcsrchr(const wchar_t *s, wchar_t c)
{
    size_t n = length(s) + 1;
    read_wide(s, n, PL_CALLER);
    for (size_t i = n; i > 0; i--)
        if (s[i - 1] == c)
            return (wchar_t *)(uintptr_t)(s + i - 1);
    return NULL;
}

/* Those that look at two strings, both announced whole. */
#define BOTH(type, name)                                                                           \
    PL_EXPORT type name(const wchar_t *a, const wchar_t *b)                                        \
    {                                                                                              \
        uint64_t pc = PL_CALLER;                                                                   \
        read_wide(a, length(a) + 1, pc);                                                           \
        read_wide(b, length(b) + 1, pc);                                                           \
        return REAL(name)(a, b);                                                                   \
    }
BOTH(wchar_t *, wcsstr)
BOTH(size_t, wcsspn)
BOTH(size_t, wcscspn)
BOTH(int, wcscasecmp)
BOTH(int, wcscoll)

/* ---- numbers ---- */

#define NUMBER(type, name, real, parameters, arguments)                                            \
    PL_EXPORT type name parameters                                                                 \
    {                                                                                              \
        uint64_t pc = PL_CALLER;                                                                   \
        wchar_t *stop = NULL;                                                                      \
        type value = (type)REAL(real) arguments;                                                   \
        read_wide(s, stop ? (size_t)(stop - s) + 1 : 0, pc);                                       \
        if (end) {                                                                                 \
            wrote(end, sizeof *end, pc);                                                           \
            *end = stop;                                                                           \
        }                                                                                          \
        return value;                                                                              \
    }
#define WHOLE(type, name, real)                                                                    \
    NUMBER(type, name, real, (const wchar_t *restrict s, wchar_t **restrict end, int base),        \
           (s, &stop, base))
WHOLE(long, wcstol, wcstol)
WHOLE(long long, wcstoll, wcstol)
WHOLE(unsigned long, wcstoul, wcstoul)
WHOLE(unsigned long long, wcstoull, wcstoul)
NUMBER(double, wcstod, wcstod, (const wchar_t *restrict s, wchar_t **restrict end), (s, &stop))

/* ---- to bytes and back ---- */

PL_EXPORT size_t pl_libc_mbstowcs(wchar_t *to, const char *from, size_t n) __asm__("mbstowcs");
PL_EXPORT size_t pl_libc_wcstombs(char *to, const wchar_t *from, size_t n) __asm__("wcstombs");
PL_EXPORT int pl_libc_wctomb(char *to, wchar_t c) __asm__("wctomb");
PL_EXPORT size_t pl_libc_wcrtomb(char *to, wchar_t c, mbstate_t *state) __asm__("wcrtomb");
PL_EXPORT size_t pl_libc_mbsrtowcs(wchar_t *to, const char **from, size_t n,
                                   mbstate_t *state) __asm__("mbsrtowcs");
PL_EXPORT size_t pl_libc_wcsrtombs(char *to, const wchar_t **from, size_t n,
                                   mbstate_t *state) __asm__("wcsrtombs");

size_t pl_libc_mbstowcs(wchar_t *to, const char *from, size_t n)
{
    uint64_t pc = PL_CALLER;
    was_read(from, strnlen(from, n) + 1, pc);
    size_t made = REAL(mbstowcs)(to, from, n);
    if (to && made != (size_t)-1)
        write_wide(to, made + (made < n), pc);
    return made;
}

size_t pl_libc_wcstombs(char *to, const wchar_t *from, size_t n)
{
    uint64_t pc = PL_CALLER;
    read_wide(from, length_within(from, to ? n : SIZE_MAX), pc);
    size_t made = REAL(wcstombs)(to, from, n);
    if (made != (size_t)-1)
        wrote(to, made + (made < n), pc);
    return made;
}

size_t pl_libc_mbsrtowcs(wchar_t *to, const char **from, size_t n, mbstate_t *state)
{
    uint64_t pc = PL_CALLER;
    was_read(from, sizeof *from, pc);
    was_read(*from, strlen(*from) + 1, pc);
    size_t made = REAL(mbsrtowcs)(to, from, n, state);
    if (made != (size_t)-1 && to) {
        write_wide(to, made + (made < n), pc);
        wrote(from, sizeof *from, pc);
    }
    wrote(state, sizeof *state, pc);
    return made;
}

size_t pl_libc_wcsrtombs(char *to, const wchar_t **from, size_t n, mbstate_t *state)
{
    uint64_t pc = PL_CALLER;
    was_read(from, sizeof *from, pc);
    read_wide(*from, length(*from) + 1, pc);
    size_t made = REAL(wcsrtombs)(to, from, n, state);
    if (made != (size_t)-1 && to) {
        wrote(to, made + (made < n), pc);
        wrote(from, sizeof *from, pc);
    }
    wrote(state, sizeof *state, pc);
    return made;
}

PL_EXPORT int mbtowc(wchar_t *restrict to, const char *restrict from, size_t n)
{
    uint64_t pc = PL_CALLER;
    int used = REAL(mbtowc)(to, from, n);
    if (used >= 0 && from) {
        was_read(from, used ? (size_t)used : 1, pc);
        wrote(to, sizeof *to, pc);
    }
    return used;
}

PL_EXPORT size_t mbrtowc(wchar_t *restrict to, const char *restrict from, size_t n,
                         mbstate_t *restrict state)
{
    uint64_t pc = PL_CALLER;
    size_t used = REAL(mbrtowc)(to, from, n, state);
    if (from && used <= n) {
        was_read(from, used ? used : 1, pc);
        wrote(to, sizeof *to, pc);
    }
    wrote(state, sizeof *state, pc);
    return used;
}

int pl_libc_wctomb(char *to, wchar_t c)
{
    int made = REAL(wctomb)(to, c);
    if (made > 0)
        wrote(to, (size_t)made, PL_CALLER);
    return made;
}

size_t pl_libc_wcrtomb(char *to, wchar_t c, mbstate_t *state)
{
    uint64_t pc = PL_CALLER;
    size_t made = REAL(wcrtomb)(to, c, state);
    if (made != (size_t)-1)
        wrote(to, made, pc);
    wrote(state, sizeof *state, pc);
    return made;
}

/* ---- printf to memory ---- */

static int print(wchar_t *to, size_t room, const wchar_t *format, va_list list, uint64_t pc)
{
    int made = REAL(vswprintf)(to, room, format, list);
    if (made >= 0)
        write_wide(to, (size_t)made + 1, pc);
    return made;
}

PL_EXPORT int pl_libc_vswprintf(wchar_t *to, size_t room, const wchar_t *format,
                                va_list list) __asm__("vswprintf");
PL_EXPORT int pl_libc_swprintf(wchar_t *to, size_t room, const wchar_t *format,
                               ...) __asm__("swprintf");
int pl_libc_vswprintf(wchar_t *to, size_t room, const wchar_t *format, va_list list)
{
    return print(to, room, format, list, PL_CALLER);
}

int pl_libc_swprintf(wchar_t *to, size_t room, const wchar_t *format, ...)
{
    va_list list;
    va_start(list, format);
    int made = print(to, room, format, list, PL_CALLER);
    va_end(list);
    return made;
}
