/*
 * Functions of libc that put text or numbers into the subject's memory, or read them
 * there: printf to memory, scanf from memory, numbers, times, names. Without the
 * announcement what they wrote would count as never initialised.
 *
 * Where the extent is known only afterwards, the access is announced afterwards; for
 * printf to memory it is measured first, since it is what overflows most.
 */
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "runtime/libc.h"

#define REAL_TABLE(X)                                                                              \
    X(int, vsnprintf, (char *, size_t, const char *, va_list))                                     \
    X(int, vsscanf, (const char *, const char *, va_list))                                         \
    X(int, __isoc99_vsscanf, (const char *, const char *, va_list))                                \
    X(int, vfscanf, (FILE *, const char *, va_list))                                               \
    X(int, __isoc99_vfscanf, (FILE *, const char *, va_list))                                      \
    X(size_t, strftime, (char *, size_t, const char *, const struct tm *))                         \
    X(struct tm *, localtime_r, (const time_t *, struct tm *))                                     \
    X(struct tm *, gmtime_r, (const time_t *, struct tm *))                                        \
    X(struct tm *, localtime, (const time_t *))                                                    \
    X(struct tm *, gmtime, (const time_t *))                                                       \
    X(time_t, mktime, (struct tm *))                                                               \
    X(time_t, timegm, (struct tm *))                                                               \
    X(char *, strptime, (const char *, const char *, struct tm *))                                 \
    X(void, tzset, (void))                                                                         \
    X(int, vasprintf, (char **, const char *, va_list))                                            \
    X(char *, ctime_r, (const time_t *, char *))                                                   \
    X(char *, asctime_r, (const struct tm *, char *))                                              \
    X(char *, strerror_r, (int, char *, size_t))                                                   \
    X(int, __xpg_strerror_r, (int, char *, size_t))                                                \
    X(char *, getcwd, (char *, size_t))                                                            \
    X(char *, realpath, (const char *, char *))                                                    \
    X(long, strtol, (const char *, char **, int))                                                  \
    X(unsigned long, strtoul, (const char *, char **, int))                                        \
    X(double, strtod, (const char *, char **))                                                     \
    X(float, strtof, (const char *, char **))                                                      \
    X(long double, strtold, (const char *, char **))
REAL_TABLE(PL_REAL_POINTER)
#define REAL(name) (*(real_##name ? real_##name : (pl_text_init(), real_##name)))

/* The time zone of the machine would make executions differ from one machine to the
 * next, and without TZ libc looks for it afresh (and frees what it had) at every call:
 * it is UTC, unless the user says otherwise. */
void pl_text_init(void)
{
    bool first = !real_tzset;
    REAL_TABLE(PL_REAL_FIND)
    if (!first)
        return;
    int before = errno; /* main finds 0; looking for a file of that name sets it */
    (void)setenv("TZ", "UTC0", 0);
    real_tzset();
    errno = before;
}

static void put_string(const char *s, uint64_t pc)
{
    if (s && pl_from_subject(pc))
        pl_write_range(s, strlen(s) + 1, pc);
}

/* ---- printf to memory ---- */

static int print(char *to, size_t room, size_t object, const char *format, va_list list,
                 uint64_t pc)
{
    va_list again;
    va_copy(again, list);
    if (room != SIZE_MAX && room > object)
        pl_fortify_overflow(to, room, pc);
    if (pl_from_subject(pc) || object != SIZE_MAX) {
        va_list measure;
        va_copy(measure, list);
        int length = REAL(vsnprintf)(NULL, 0, format, measure);
        va_end(measure);
        size_t bytes = length < 0 ? 0 : (size_t)length + 1;
        bytes = bytes < room ? bytes : room;
        if (bytes > object)
            pl_fortify_overflow(to, bytes, pc);
        if (pl_from_subject(pc))
            pl_write_range(to, bytes, pc);
    }
    /* libc takes no more room than an int counts. */
    int made = REAL(vsnprintf)(to, room < INT32_MAX ? room : INT32_MAX, format, again);
    va_end(again);
    return made;
}

#define PRINT(to, room, object, format)                                                            \
    va_list list;                                                                                  \
    va_start(list, format);                                                                        \
    int made = print(to, room, object, format, list, PL_CALLER);                                   \
    va_end(list);                                                                                  \
    return made;

PL_EXPORT int __snprintf_chk(char *to, size_t room, int flag, size_t object, const char *format,
                             ...);
PL_EXPORT int __sprintf_chk(char *to, int flag, size_t object, const char *format, ...);
PL_EXPORT int __vsnprintf_chk(char *to, size_t room, int flag, size_t object, const char *format,
                              va_list list);
PL_EXPORT int __vsprintf_chk(char *to, int flag, size_t object, const char *format, va_list list);

PL_EXPORT int snprintf(char *restrict to, size_t room, const char *restrict format,
                       ...){PRINT(to, room, SIZE_MAX, format)}

PL_EXPORT int sprintf(char *restrict to, const char *restrict format,
                      ...){PRINT(to, SIZE_MAX, SIZE_MAX, format)}

PL_EXPORT int vsnprintf(char *restrict to, size_t room, const char *restrict format, va_list list)
{
    return print(to, room, SIZE_MAX, format, list, PL_CALLER);
}

PL_EXPORT int vsprintf(char *restrict to, const char *restrict format, va_list list)
{
    return print(to, SIZE_MAX, SIZE_MAX, format, list, PL_CALLER);
}

int __snprintf_chk(char *to, size_t room, int flag, size_t object, const char *format, ...)
{
    (void)flag;
    PRINT(to, room, object, format)
}

int __sprintf_chk(char *to, int flag, size_t object, const char *format, ...)
{
    (void)flag;
    PRINT(to, SIZE_MAX, object, format)
}

int __vsnprintf_chk(char *to, size_t room, int flag, size_t object, const char *format,
                    va_list list)
{
    (void)flag;
    return print(to, room, object, format, list, PL_CALLER);
}

int __vsprintf_chk(char *to, int flag, size_t object, const char *format, va_list list)
{
    (void)flag;
    return print(to, SIZE_MAX, object, format, list, PL_CALLER);
}

/* The text is in a block of its own, which libc allocates. */
static int print_new(char **to, const char *format, va_list list, uint64_t pc)
{
    int made = REAL(vasprintf)(to, format, list);
    if (pl_from_subject(pc)) {
        pl_write_range(to, sizeof *to, pc);
        if (made >= 0)
            pl_write_range(*to, (size_t)made + 1, pc);
    }
    return made;
}

#define PRINT_NEW(to, format)                                                                      \
    va_list list;                                                                                  \
    va_start(list, format);                                                                        \
    int made = print_new(to, format, list, PL_CALLER);                                             \
    va_end(list);                                                                                  \
    return made;

PL_EXPORT int pl_libc_asprintf(char **to, const char *format, ...) __asm__("asprintf");
PL_EXPORT int pl_libc_vasprintf(char **to, const char *format, va_list list) __asm__("vasprintf");
PL_EXPORT int __asprintf_chk(char **to, int flag, const char *format, ...);
PL_EXPORT int __vasprintf_chk(char **to, int flag, const char *format, va_list list);

int pl_libc_asprintf(char **to, const char *format, ...)
{
    PRINT_NEW(to, format)
}

int pl_libc_vasprintf(char **to, const char *format, va_list list)
{
    return print_new(to, format, list, PL_CALLER);
}

int __asprintf_chk(char **to, int flag, const char *format, ...)
{
    (void)flag;
    PRINT_NEW(to, format)
}

int __vasprintf_chk(char **to, int flag, const char *format, va_list list)
{
    (void)flag;
    return print_new(to, format, list, PL_CALLER);
}

/* ---- scanf ---- */

struct conversion {
    bool assigned, allocates; /* without '*'; with 'm' */
    size_t width;             /* 0: none given */
    char length;              /* of hh h l ll L j z t: 1 2 8 8 16 8 8 8; 0: none */
    char kind;
};

/* The conversion after a '%'; returns what follows it, NULL if it is beyond us. */
static const char *parse(const char *f, struct conversion *c)
{
    *c = (struct conversion){.assigned = true};
    for (; *f == '*' || *f == '\'' || *f == 'I'; f++)
        c->assigned &= *f != '*';
    for (; *f >= '0' && *f <= '9'; f++)
        c->width = c->width * 10 + (size_t)(*f - '0');
    if (*f == '$')
        return NULL; /* numbered arguments */
    for (; *f && strchr("hlLjztqm", *f); f++) {
        if (*f == 'm')
            c->allocates = true;
        else if (*f == 'h')
            c->length = c->length == 2 ? 1 : 2;
        else
            c->length = *f == 'L' ? 16 : 8;
    }
    c->kind = *f;
    if (*f == '[') {
        f += f[1] == '^' ? 2 : 1;
        f += *f == ']';
        while (*f && *f != ']')
            f++;
    }
    return *f ? f + 1 : NULL;
}

static size_t bytes_of(const struct conversion *c, const void *to)
{
    if (c->allocates)
        return sizeof(char *);
    switch (c->kind) {
    case 's':
    case '[':
        return c->length ? 0 : strlen(to) + 1; /* wide strings: not announced */
    case 'c':
        return (c->width ? c->width : 1) * (c->length ? 4 : 1);
    case 'p':
        return sizeof(void *);
    case 'a':
    case 'e':
    case 'f':
    case 'g':
    case 'A':
    case 'E':
    case 'F':
    case 'G':
        return c->length ? (size_t)c->length : sizeof(float);
    default: /* whole numbers: L is as ll */
        return c->length == 16 ? 8 : c->length ? (size_t)c->length : sizeof(int);
    }
}

/* Announces what `converted` conversions have written. */
static void scanned(const char *format, va_list list, int converted, uint64_t pc)
{
    if (!pl_from_subject(pc))
        return;
    for (const char *f = format; f && *f;) {
        struct conversion c;
        if (*f++ != '%')
            continue;
        if (*f == '%') {
            f++;
            continue;
        }
        f = parse(f, &c);
        if (!f)
            return;
        if (!c.assigned)
            continue;
        if (c.kind != 'n' && converted-- <= 0)
            return;
        const void *to = va_arg(list, const void *);
        pl_write_range(to, bytes_of(&c, to), pc);
    }
}

#define SCAN_MEMORY(name, vname)                                                                   \
    PL_EXPORT int pl_##name(const char *s, const char *format, ...) __asm__(#name);                \
    PL_EXPORT int pl_##vname(const char *s, const char *format, va_list list) __asm__(#vname);     \
    static int scan_##vname(const char *s, const char *format, va_list list, uint64_t pc)          \
    {                                                                                              \
        va_list again;                                                                             \
        va_copy(again, list);                                                                      \
        if (pl_from_subject(pc))                                                                   \
            pl_read_range(s, strlen(s) + 1, pc);                                                   \
        int converted = REAL(vname)(s, format, list);                                              \
        scanned(format, again, converted, pc);                                                     \
        va_end(again);                                                                             \
        return converted;                                                                          \
    }                                                                                              \
    int pl_##name(const char *s, const char *format, ...)                                          \
    {                                                                                              \
        va_list list;                                                                              \
        va_start(list, format);                                                                    \
        int converted = scan_##vname(s, format, list, PL_CALLER);                                  \
        va_end(list);                                                                              \
        return converted;                                                                          \
    }                                                                                              \
    int pl_##vname(const char *s, const char *format, va_list list)                                \
    {                                                                                              \
        return scan_##vname(s, format, list, PL_CALLER);                                           \
    }
SCAN_MEMORY(sscanf, vsscanf)
SCAN_MEMORY(__isoc99_sscanf, __isoc99_vsscanf)

#define SCAN_STREAM(name, vname, from_stdin)                                                       \
    PL_EXPORT int pl_##name(FILE *stream, const char *format, ...) __asm__(#name);                 \
    PL_EXPORT int pl_##from_stdin(const char *format, ...) __asm__(#from_stdin);                   \
    static int scan_##vname(FILE *stream, const char *format, va_list list, uint64_t pc)           \
    {                                                                                              \
        va_list again;                                                                             \
        va_copy(again, list);                                                                      \
        pl_files_moved();                                                                          \
        int converted = REAL(vname)(stream, format, list);                                         \
        scanned(format, again, converted, pc);                                                     \
        va_end(again);                                                                             \
        return converted;                                                                          \
    }                                                                                              \
    int pl_##name(FILE *stream, const char *format, ...)                                           \
    {                                                                                              \
        va_list list;                                                                              \
        va_start(list, format);                                                                    \
        int converted = scan_##vname(stream, format, list, PL_CALLER);                             \
        va_end(list);                                                                              \
        return converted;                                                                          \
    }                                                                                              \
    int pl_##from_stdin(const char *format, ...)                                                   \
    {                                                                                              \
        va_list list;                                                                              \
        va_start(list, format);                                                                    \
        int converted = scan_##vname(stdin, format, list, PL_CALLER);                              \
        va_end(list);                                                                              \
        return converted;                                                                          \
    }
SCAN_STREAM(fscanf, vfscanf, scanf)
SCAN_STREAM(__isoc99_fscanf, __isoc99_vfscanf, __isoc99_scanf)

/* ---- numbers ---- */

static void number_read(const char *s, const char *end, char **out, uint64_t pc)
{
    if (!end || !pl_from_subject(pc))
        return;
    pl_read_range(s, (size_t)(end - s) + 1, pc);
    if (out)
        pl_write_range(out, sizeof *out, pc);
}

#define NUMBER(type, name, real, parameters, arguments)                                            \
    PL_EXPORT type name parameters                                                                 \
    {                                                                                              \
        char *stop = NULL;                                                                         \
        type value = (type)REAL(real) arguments;                                                   \
        number_read(s, stop, end, PL_CALLER);                                                      \
        if (end)                                                                                   \
            *end = stop;                                                                           \
        return value;                                                                              \
    }
#define WHOLE(type, name, real)                                                                    \
    NUMBER(type, name, real, (const char *restrict s, char **restrict end, int base),              \
           (s, &stop, base))
#define FLOATING(type, name)                                                                       \
    NUMBER(type, name, name, (const char *restrict s, char **restrict end), (s, &stop))
WHOLE(long, strtol, strtol)
WHOLE(long long, strtoll, strtol)
WHOLE(unsigned long, strtoul, strtoul)
WHOLE(unsigned long long, strtoull, strtoul)
FLOATING(double, strtod)
FLOATING(float, strtof)
FLOATING(long double, strtold)

/* Under other names: the header has inline versions of its own. */
#define PLAIN_NUMBER(type, name, value)                                                            \
    PL_EXPORT type pl_##name(const char *s) __asm__(#name);                                        \
    type pl_##name(const char *s)                                                                  \
    {                                                                                              \
        char *stop = NULL;                                                                         \
        type result = (type)value;                                                                 \
        number_read(s, stop, NULL, PL_CALLER);                                                     \
        return result;                                                                             \
    }
PLAIN_NUMBER(int, atoi, REAL(strtol)(s, &stop, 10))
PLAIN_NUMBER(long, atol, REAL(strtol)(s, &stop, 10))
PLAIN_NUMBER(long long, atoll, REAL(strtol)(s, &stop, 10))
PLAIN_NUMBER(double, atof, REAL(strtod)(s, &stop))

/* ---- times ---- */

PL_EXPORT size_t strftime(char *restrict to, size_t room, const char *restrict format,
                          const struct tm *restrict time)
{
    uint64_t pc = PL_CALLER;
    size_t made = REAL(strftime)(to, room, format, time);
    if (made && pl_from_subject(pc))
        pl_write_range(to, made + 1, pc);
    return made;
}

#define BROKEN_DOWN(name)                                                                          \
    PL_EXPORT struct tm *name(const time_t *restrict time, struct tm *restrict to)                 \
    {                                                                                              \
        uint64_t pc = PL_CALLER;                                                                   \
        if (pl_from_subject(pc)) {                                                                 \
            pl_read_range(time, sizeof *time, pc);                                                 \
            pl_write_range(to, sizeof *to, pc);                                                    \
        }                                                                                          \
        return REAL(name)(time, to);                                                               \
    }
BROKEN_DOWN(localtime_r)
BROKEN_DOWN(gmtime_r)

/* Into memory of libc, one place for all threads. */
#define BROKEN_DOWN_STATIC(name)                                                                   \
    PL_EXPORT struct tm *name(const time_t *time)                                                  \
    {                                                                                              \
        uint64_t pc = PL_CALLER;                                                                   \
        if (pl_from_subject(pc))                                                                   \
            pl_read_range(time, sizeof *time, pc);                                                 \
        return REAL(name)(time);                                                                   \
    }
BROKEN_DOWN_STATIC(localtime)
BROKEN_DOWN_STATIC(gmtime)

/* They read most of it, and set the rest and what is out of range. */
#define PUT_TOGETHER(name, real)                                                                   \
    PL_EXPORT time_t name(struct tm *time)                                                         \
    {                                                                                              \
        uint64_t pc = PL_CALLER;                                                                   \
        if (pl_from_subject(pc)) {                                                                 \
            pl_read_range(time, offsetof(struct tm, tm_wday), pc);                                 \
            pl_read_range(&time->tm_isdst, sizeof time->tm_isdst, pc);                             \
            pl_write_range(time, sizeof *time, pc);                                                \
        }                                                                                          \
        return REAL(real)(time);                                                                   \
    }
PUT_TOGETHER(mktime, mktime)
PUT_TOGETHER(timelocal, mktime)

/* As mktime, but it does not ask for daylight saving. */
PL_EXPORT time_t timegm(struct tm *time)
{
    uint64_t pc = PL_CALLER;
    if (pl_from_subject(pc)) {
        pl_read_range(time, offsetof(struct tm, tm_wday), pc);
        pl_write_range(time, sizeof *time, pc);
    }
    return REAL(timegm)(time);
}

/* Which fields it sets depends on the format: as if all of them. */
PL_EXPORT char *strptime(const char *restrict s, const char *restrict format,
                         struct tm *restrict to)
{
    uint64_t pc = PL_CALLER;
    char *end = REAL(strptime)(s, format, to);
    if (pl_from_subject(pc)) {
        pl_read_range(s, end ? (size_t)(end - s) : strlen(s) + 1, pc);
        pl_write_range(to, sizeof *to, pc);
    }
    return end;
}

PL_EXPORT char *ctime_r(const time_t *restrict time, char *restrict to)
{
    char *made = REAL(ctime_r)(time, to);
    put_string(made, PL_CALLER);
    return made;
}

PL_EXPORT char *asctime_r(const struct tm *restrict time, char *restrict to)
{
    char *made = REAL(asctime_r)(time, to);
    put_string(made, PL_CALLER);
    return made;
}

/* ---- names ---- */

PL_EXPORT char *pl_strerror_r(int error, char *to, size_t room) __asm__("strerror_r");
PL_EXPORT int __xpg_strerror_r(int error, char *to, size_t room);
PL_EXPORT char *__getcwd_chk(char *to, size_t room, size_t object);
PL_EXPORT char *__realpath_chk(const char *path, char *to, size_t object);

char *pl_strerror_r(int error, char *to, size_t room)
{
    char *made = REAL(strerror_r)(error, to, room);
    if (made == to && room)
        put_string(to, PL_CALLER);
    return made;
}

int __xpg_strerror_r(int error, char *to, size_t room)
{
    int result = REAL(__xpg_strerror_r)(error, to, room);
    if (room)
        put_string(to, PL_CALLER);
    return result;
}

static char *working_directory(char *to, size_t room, uint64_t pc)
{
    if (to)
        pl_touch(to, room);
    char *made = REAL(getcwd)(to, room);
    put_string(made, pc);
    return made;
}

PL_EXPORT char *getcwd(char *to, size_t room)
{
    return working_directory(to, room, PL_CALLER);
}

char *__getcwd_chk(char *to, size_t room, size_t object)
{
    if (room > object)
        pl_fortify_overflow(to, room, PL_CALLER);
    return working_directory(to, room, PL_CALLER);
}

PL_EXPORT char *realpath(const char *restrict path, char *restrict to)
{
    char *made = REAL(realpath)(path, to);
    put_string(made, PL_CALLER);
    return made;
}

char *__realpath_chk(const char *path, char *to, size_t object)
{
    (void)object;
    char *made = REAL(realpath)(path, to);
    put_string(made, PL_CALLER);
    return made;
}
