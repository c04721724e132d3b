/*
 * Streams: what they read into and write from the subject's memory is announced, the
 * rest is libc's business; its own locks are never held across a switch of threads,
 * for libc does not call back while it holds one. flockfile is the exception: it is a
 * modelled mutex here, beside libc's lock. printf and its like go straight to libc.
 */
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "runtime/libc.h"
#include "runtime/libc_files.h"

#define REAL_TABLE(X)                                                                              \
    X(size_t, fread, (void *, size_t, size_t, FILE *))                                             \
    X(size_t, fwrite, (const void *, size_t, size_t, FILE *))                                      \
    X(char *, fgets, (char *, int, FILE *))                                                        \
    X(int, fputs, (const char *, FILE *))                                                          \
    X(int, puts, (const char *))                                                                   \
    X(int, vdprintf, (int, const char *, va_list))                                                 \
    X(int, fflush, (FILE *))                                                                       \
    X(FILE *, open_memstream, (char **, size_t *))                                                 \
    X(FILE *, fmemopen, (void *, size_t, const char *))                                            \
    X(ssize_t, getdelim, (char **, size_t *, int, FILE *))
REAL_TABLE(PL_REAL_POINTER)
#define REAL(name) (*(real_##name ? real_##name : (pl_stdio_init(), real_##name)))

void pl_stdio_init(void)
{
    REAL_TABLE(PL_REAL_FIND)
}

/* Before libc reads: if its buffer is empty it will ask the kernel, which must not wait. */
static void before_read(FILE *stream, uint64_t pc)
{
    if (!rt.active)
        return;
    pl_files_moved();
    int fd = fileno(stream);
    if (pl_fd_kind(fd) != PL_FD_FILE && stream->_IO_read_ptr >= stream->_IO_read_end)
        pl_fd_wait(fd, PL_FD_READABLE, pc);
    pl_fd_acquire(fd);
}

static void before_write(FILE *stream)
{
    if (!rt.active)
        return;
    int fd = fileno(stream);
    if (pl_fd_kind(fd) != PL_FD_FILE)
        pl_fd_release(fd);
}

/* ---- reading ---- */

static size_t read_items(void *to, size_t size, size_t count, FILE *stream, uint64_t pc)
{
    pl_touch(to, size * count); /* a large read goes straight from the kernel */
    before_read(stream, pc);
    size_t got = REAL(fread)(to, size, count, stream);
    if (pl_from_subject(pc))
        pl_write_range(to, got * size, pc);
    return got;
}

PL_EXPORT size_t __fread_chk(void *to, size_t room, size_t size, size_t count, FILE *stream);
PL_EXPORT size_t __fread_unlocked_chk(void *to, size_t room, size_t size, size_t count,
                                      FILE *stream);

PL_EXPORT size_t fread(void *restrict to, size_t size, size_t count, FILE *restrict stream)
{
    return read_items(to, size, count, stream, PL_CALLER);
}

PL_EXPORT size_t(fread_unlocked)(void *restrict to, size_t size, size_t count,
                                 FILE *restrict stream)
{
    return read_items(to, size, count, stream, PL_CALLER);
}

size_t __fread_chk(void *to, size_t room, size_t size, size_t count, FILE *stream)
{
    if (size && count > room / size)
        pl_fortify_overflow(to, size * count, PL_CALLER);
    return read_items(to, size, count, stream, PL_CALLER);
}

size_t __fread_unlocked_chk(void *to, size_t room, size_t size, size_t count, FILE *stream)
{
    if (size && count > room / size)
        pl_fortify_overflow(to, size * count, PL_CALLER);
    return read_items(to, size, count, stream, PL_CALLER);
}

static char *read_line(char *to, int size, FILE *stream, uint64_t pc)
{
    before_read(stream, pc);
    char *got = REAL(fgets)(to, size, stream);
    if (got && pl_from_subject(pc))
        pl_write_range(to, strlen(to) + 1, pc);
    return got;
}

PL_EXPORT char *__fgets_chk(char *to, size_t room, int size, FILE *stream);
PL_EXPORT char *fgets(char *restrict to, int size, FILE *restrict stream)
{
    return read_line(to, size, stream, PL_CALLER);
}

PL_EXPORT char *fgets_unlocked(char *restrict to, int size, FILE *restrict stream)
{
    return read_line(to, size, stream, PL_CALLER);
}

char *__fgets_chk(char *to, size_t room, int size, FILE *stream)
{
    if (size > 0 && (size_t)size > room)
        pl_fortify_overflow(to, (size_t)size, PL_CALLER);
    return read_line(to, size, stream, PL_CALLER);
}

static ssize_t read_until(char **line, size_t *room, int end, FILE *stream, uint64_t pc)
{
    before_read(stream, pc);
    ssize_t got = REAL(getdelim)(line, room, end, stream);
    if (got >= 0 && pl_from_subject(pc)) {
        pl_write_range(line, sizeof *line, pc);
        pl_write_range(room, sizeof *room, pc);
        pl_write_range(*line, (size_t)got + 1, pc);
    }
    return got;
}

PL_EXPORT ssize_t __getdelim(char **line, size_t *room, int end, FILE *stream);
/* Under another name: the header has an inline version of its own. */
PL_EXPORT ssize_t pl_getline(char **line, size_t *room, FILE *stream) __asm__("getline");
ssize_t pl_getline(char **line, size_t *room, FILE *stream)
{
    return read_until(line, room, '\n', stream, PL_CALLER);
}

PL_EXPORT ssize_t getdelim(char **restrict line, size_t *restrict room, int end,
                           FILE *restrict stream)
{
    return read_until(line, room, end, stream, PL_CALLER);
}

ssize_t __getdelim(char **line, size_t *room, int end, FILE *stream)
{
    return read_until(line, room, end, stream, PL_CALLER);
}

/* ---- streams in memory ----
 * open_memstream sets its two variables, and the text is complete, when the stream is
 * flushed or closed: announced then. */

enum { MEMORY_STREAMS = 32 };

static struct {
    struct {
        FILE *stream;
        char **text;
        size_t *bytes;
    } at[MEMORY_STREAMS];
    unsigned count;
    uint32_t generation;
} memory;

PL_EXPORT FILE *open_memstream(char **text, size_t *bytes)
{
    FILE *stream = REAL(open_memstream)(text, bytes);
    if (!stream || !pl_from_subject(PL_CALLER))
        return stream;
    rt.unkept = true;
    if (memory.generation != rt.generation) {
        memory.generation = rt.generation;
        memory.count = 0;
    }
    unsigned place = 0;
    while (place < memory.count && memory.at[place].stream)
        place++;
    if (place < MEMORY_STREAMS) {
        memory.at[place].stream = stream;
        memory.at[place].text = text;
        memory.at[place].bytes = bytes;
        memory.count += place == memory.count;
    }
    return stream;
}

void pl_stdio_flushed(FILE *stream, bool closed, uint64_t pc)
{
    if (!rt.active || memory.generation != rt.generation)
        return;
    for (unsigned i = 0; i < memory.count; i++) {
        if (!stream || memory.at[i].stream != stream)
            continue;
        pl_write_range(memory.at[i].text, sizeof(char *), pc);
        pl_write_range(memory.at[i].bytes, sizeof(size_t), pc);
        pl_write_range(*memory.at[i].text, *memory.at[i].bytes + 1, pc);
        if (closed)
            memory.at[i].stream = NULL;
    }
}

/* What is read or written later is announced here, while the memory is known. */
PL_EXPORT FILE *fmemopen(void *start, size_t bytes, const char *mode)
{
    uint64_t pc = PL_CALLER;
    bool reads_only = mode[0] == 'r' && !strchr(mode, '+');
    if (start && pl_from_subject(pc)) {
        if (reads_only)
            pl_read_range(start, strnlen(start, bytes), pc);
        else
            pl_write_range(start, bytes, pc);
    }
    return REAL(fmemopen)(start, bytes, mode);
}

/* ---- writing ---- */

static size_t write_items(const void *from, size_t size, size_t count, FILE *stream, uint64_t pc)
{
    if (pl_from_subject(pc))
        pl_read_range(from, size * count, pc);
    before_write(stream);
    return REAL(fwrite)(from, size, count, stream);
}

PL_EXPORT size_t fwrite(const void *restrict from, size_t size, size_t count, FILE *restrict stream)
{
    return write_items(from, size, count, stream, PL_CALLER);
}

PL_EXPORT size_t(fwrite_unlocked)(const void *restrict from, size_t size, size_t count,
                                  FILE *restrict stream)
{
    return write_items(from, size, count, stream, PL_CALLER);
}

PL_EXPORT int fputs(const char *restrict s, FILE *restrict stream)
{
    uint64_t pc = PL_CALLER;
    if (pl_from_subject(pc))
        pl_read_range(s, strlen(s) + 1, pc);
    before_write(stream);
    return REAL(fputs)(s, stream);
}

PL_EXPORT int puts(const char *s)
{
    uint64_t pc = PL_CALLER;
    if (pl_from_subject(pc))
        pl_read_range(s, strlen(s) + 1, pc);
    return REAL(puts)(s);
}

PL_EXPORT int fflush(FILE *stream)
{
    uint64_t pc = PL_CALLER;
    if (stream)
        before_write(stream);
    int result = REAL(fflush)(stream);
    pl_stdio_flushed(stream, false, pc);
    return result;
}

/* printf to a descriptor: the one that writes to a pipe without a stream. */
static int print_to(int fd, const char *format, va_list list, uint64_t pc)
{
    pl_fd_wait(fd, PL_FD_WRITABLE, pc);
    if (pl_fd_kind(fd) != PL_FD_FILE)
        pl_fd_release(fd);
    int made = REAL(vdprintf)(fd, format, list);
    pl_fd_changed();
    return made;
}

PL_EXPORT int __dprintf_chk(int fd, int flag, const char *format, ...);

PL_EXPORT int vdprintf(int fd, const char *restrict format, va_list list)
{
    return print_to(fd, format, list, PL_CALLER);
}

PL_EXPORT int dprintf(int fd, const char *restrict format, ...)
{
    va_list list;
    va_start(list, format);
    int made = print_to(fd, format, list, PL_CALLER);
    va_end(list);
    return made;
}

int __dprintf_chk(int fd, int flag, const char *format, ...)
{
    (void)flag;
    va_list list;
    va_start(list, format);
    int made = print_to(fd, format, list, PL_CALLER);
    va_end(list);
    return made;
}

/* ---- flockfile ---- */

static bool lock(FILE *stream, bool wait, uint64_t pc)
{
    bool fresh;
    struct pl_sync *o = pl_sync_object(PL_SYNC_MUTEX, stream, pc, &fresh);
    pl_point(pc);
    int32_t me = (int32_t)rt.self->id + 1;
    while (o->owner && o->owner != me) {
        if (!wait)
            return false;
        o->waiters |= (uint64_t)1 << rt.self->id;
        pl_block(PL_EVENT_LOCK, stream, 0, pc);
    }
    if (!o->owner)
        pl_acquire(o->release);
    o->owner = me;
    o->count++;
    pl_trace(PL_EVENT_LOCK, stream, 0, pc);
    return true;
}

PL_EXPORT void flockfile(FILE *stream)
{
    uint64_t pc = PL_CALLER;
    if (rt.active)
        lock(stream, true, pc);
}

PL_EXPORT int ftrylockfile(FILE *stream)
{
    uint64_t pc = PL_CALLER;
    return rt.active && !lock(stream, false, pc);
}

PL_EXPORT void funlockfile(FILE *stream)
{
    uint64_t pc = PL_CALLER;
    struct pl_sync *o = rt.active ? pl_sync_find(PL_SYNC_MUTEX, stream) : NULL;
    if (!o || o->owner != (int32_t)rt.self->id + 1 || --o->count > 0)
        return;
    pl_release_to(o->release);
    o->owner = 0;
    rt.last_change = rt.steps;
    pl_wake_all(o->waiters);
    o->waiters = 0;
    pl_trace(PL_EVENT_UNLOCK, stream, 0, pc);
}
