/*
 * Descriptors. What an execution opens is closed at the reset; what was open before
 * main is open again, at the position it had; temporary names are removed.
 *
 *   0 … 499   of the subject: opened before main (in `base`), or by this execution
 *   500 …     of the runtime: never touched (copies of replaced ones from 600 on)
 *
 * The reset costs nothing unless a descriptor was opened, replaced or moved: the
 * wrappers set a flag. Calls inside libc are not seen, but every way into them is
 * here (fopen, opendir, shm_open, …).
 *
 * Data that goes through a pipe or a socket orders what was done before its sending
 * before what is done after its receipt: pipes have a clock of their own, all other
 * files share one. The shared one may hide a race, it never invents one.
 */
#include <dirent.h>
#include <fcntl.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <sys/inotify.h>
#include <sys/mman.h>
#include <sys/signalfd.h>
#include <sys/socket.h>
#include <sys/timerfd.h>
#include <unistd.h>

#include "runtime/libc.h"
#include "runtime/libc_files.h"

enum {
    FDS = 500,
    COPIES = 600,
    SHARED = FDS, /* group of everything that is no pipe */
    MAX_NAMES = 64,
    NAME_BYTES = 256,
};

static struct {
    bool opened, moved, replaced, streams; /* in this execution */
    uint64_t waiters;                      /* bit per thread that waits for a pipe */
    uint64_t base[FDS / 64 + 1];
    off_t position[FDS]; /* of those in base, -1 if it has none */
    int copy[FDS];       /* of those in base that were replaced, else 0 */
    uint8_t kind[FDS];   /* enum pl_fd_kind */
    uint16_t group[FDS]; /* 1 + first descriptor of the pipe, 0 = shared */
    uint32_t generation;
    pl_tick *clock[FDS + 1]; /* of a group */
    unsigned names;
    char name[MAX_NAMES][NAME_BYTES]; /* made by this execution: removed at the reset */
} state;

#define REAL_TABLE(X)                                                                              \
    X(FILE *, fopen, (const char *, const char *))                                                 \
    X(FILE *, freopen, (const char *, const char *, FILE *))                                       \
    X(FILE *, fdopen, (int, const char *))                                                         \
    X(FILE *, tmpfile, (void))                                                                     \
    X(int, fclose, (FILE *))                                                                       \
    X(DIR *, opendir, (const char *))                                                              \
    X(DIR *, fdopendir, (int))                                                                     \
    X(int, shm_open, (const char *, int, mode_t))                                                  \
    X(int, shm_unlink, (const char *))
REAL_TABLE(PL_REAL_POINTER)
#define REAL(name) (*(real_##name ? real_##name : (pl_files_init(), real_##name)))

void pl_files_init(void)
{
    REAL_TABLE(PL_REAL_FIND)
}

static bool in_base(int fd)
{
    return state.base[fd / 64] >> (fd % 64) & 1;
}
static bool ours(int fd)
{
    return fd >= 0 && fd < FDS;
}

/* ---- snapshot and reset ---- */

void pl_files_snapshot(void)
{
    for (int fd = 0; fd < FDS; fd++) {
        if (PL_SYS(SYS_fcntl, fd, F_GETFD, 0, 0, 0, 0) < 0)
            continue;
        state.base[fd / 64] |= (uint64_t)1 << (fd % 64);
        state.position[fd] = PL_SYS(SYS_lseek, fd, 0, SEEK_CUR, 0, 0, 0);
    }
    state.opened = state.moved = state.replaced = state.streams = false;
}

static void close_opened(void)
{
    for (int fd = 0, gap; fd < FDS; fd = gap + 1) {
        while (fd < FDS && in_base(fd))
            fd++;
        for (gap = fd; gap < FDS && !in_base(gap);)
            gap++;
        if (fd < gap && PL_SYS(SYS_close_range, fd, gap - 1, 0, 0, 0, 0) < 0)
            for (int each = fd; each < gap; each++) /* an old kernel */
                PL_SYS(SYS_close, each, 0, 0, 0, 0, 0);
    }
    memset(state.kind, 0, sizeof state.kind);
    memset(state.group, 0, sizeof state.group);
}

static void put_back_replaced(void)
{
    for (int fd = 0; fd < FDS; fd++)
        if (state.copy[fd]) {
            PL_SYS(SYS_dup2, state.copy[fd], fd, 0, 0, 0, 0);
            PL_SYS(SYS_close, state.copy[fd], 0, 0, 0, 0, 0);
            state.copy[fd] = 0;
        }
}

void pl_files_reset(void)
{
    if (pl_unlikely(state.opened))
        close_opened();
    if (pl_unlikely(state.replaced))
        put_back_replaced();
    if (pl_unlikely(state.moved))
        for (int fd = 0; fd < FDS; fd++) /* stdout and stderr are the engine's business */
            if (fd != 1 && fd != 2 && in_base(fd) && state.position[fd] >= 0)
                PL_SYS(SYS_lseek, fd, state.position[fd], SEEK_SET, 0, 0, 0);
    for (unsigned i = 0; i < state.names; i++)
        PL_SYS(SYS_unlink, state.name[i], 0, 0, 0, 0, 0);
    state.names = 0;
    state.waiters = 0;
    state.opened = state.moved = state.replaced = state.streams = false;
}

void pl_files_opened(void)
{
    state.opened |= rt.active;
    rt.unkept = true;
}
void pl_files_moved(void)
{
    state.moved |= rt.active;
    rt.unkept = true;
}

void pl_files_flush(void)
{
    if (pl_unlikely(state.streams || state.replaced))
        (void)fflush(NULL);
}

void pl_files_replaced(int fd)
{
    if (!rt.active || !ours(fd) || !in_base(fd) || state.copy[fd])
        return;
    long copy = PL_SYS(SYS_fcntl, fd, F_DUPFD_CLOEXEC, COPIES, 0, 0, 0);
    if (copy < 0)
        return;
    state.copy[fd] = (int)copy;
    state.replaced = rt.unkept = true;
}

static void remove_later(const char *directory, const char *name)
{
    size_t a = strlen(directory), b = strlen(name);
    if (!rt.active || state.names == MAX_NAMES || a + b >= NAME_BYTES)
        return;
    memcpy(state.name[state.names], directory, a);
    memcpy(state.name[state.names] + a, name, b + 1);
    state.names++;
    rt.unkept = true;
}

/* ---- order through files ---- */

static pl_tick *clock_of(int fd)
{
    int group = ours(fd) && state.group[fd] ? state.group[fd] - 1 : SHARED;
    if (state.generation != rt.generation) {
        state.generation = rt.generation;
        memset(state.clock, 0, sizeof state.clock);
    }
    if (!state.clock[group])
        state.clock[group] = pl_clock_new();
    return state.clock[group];
}

void pl_fd_release(int fd)
{
    if (!rt.active)
        return;
    pl_release_join(clock_of(fd));
    rt.last_change = rt.steps;
}

void pl_fd_acquire(int fd)
{
    if (rt.active)
        pl_acquire(clock_of(fd));
}

/* Only the subject changes a pipe of its own making, and through functions seen here,
 * unless there are streams, which libc writes when it likes. */
bool pl_fd_changes_are_seen(int fd)
{
    return ours(fd) && state.group[fd] && !state.streams;
}

void pl_fd_sleep(short events, uint64_t pc)
{
    rt.unkept = true;
    state.waiters |= (uint64_t)1 << rt.self->id;
    pl_block(events & PL_FD_READABLE ? PL_EVENT_READ : PL_EVENT_WRITE, NULL, 0, pc);
}

void pl_fd_changed(void)
{
    if (pl_likely(!state.waiters))
        return;
    uint64_t waiters = state.waiters;
    state.waiters = 0;
    pl_wake_all(waiters);
}

enum pl_fd_kind pl_fd_kind(int fd)
{
    return ours(fd) ? (enum pl_fd_kind)state.kind[fd] : PL_FD_FILE;
}

static int made(long fd, enum pl_fd_kind kind, int group)
{
    pl_files_opened();
    fd = pl_sys_errno(fd);
    if (ours((int)fd)) {
        state.kind[fd] = (uint8_t)kind;
        state.group[fd] = (uint16_t)(group + 1);
    }
    return (int)fd;
}

static void made_pair(int out[2], const int fd[2], enum pl_fd_kind kind, uint64_t pc)
{
    if (pl_from_subject(pc))
        pl_write_range(out, 2 * sizeof *out, pc);
    out[0] = made(fd[0], kind, ours(fd[0]) ? fd[0] : -1);
    out[1] = made(fd[1], kind, ours(fd[0]) ? fd[0] : -1);
}

/* ---- open ---- */

/* /dev/urandom gives the numbers of getrandom: a file in memory that holds enough of them. */
static int random_file(void)
{
    static uint8_t bytes[1 << 16];
    int fd = (int)PL_SYS(SYS_memfd_create, "random", 1, 0, 0, 0, 0);
    pl_random_fill(bytes, sizeof bytes);
    if (fd >= 0) {
        (void)PL_SYS(SYS_write, fd, bytes, sizeof bytes, 0, 0, 0);
        (void)PL_SYS(SYS_lseek, fd, 0, SEEK_SET, 0, 0, 0);
    }
    return fd;
}

static bool is_random(const char *path)
{
    return rt.active && (strcmp(path, "/dev/urandom") == 0 || strcmp(path, "/dev/random") == 0);
}

static int open_file(int at, const char *path, int flags, mode_t mode, uint64_t pc)
{
    if (pl_from_subject(pc))
        pl_read_range(path, strlen(path) + 1, pc);
    if (is_random(path))
        return made(random_file(), PL_FD_FILE, -1);
    return made(PL_SYS(SYS_openat, at, path, flags, mode, 0, 0), PL_FD_FILE, -1);
}

static bool has_mode(int flags)
{
    return (flags & O_CREAT) || (flags & O_TMPFILE) == O_TMPFILE;
}

/* open is declared with optional arguments: the mode is there when a file is made. */
#define TAKE_MODE(mode, flags)                                                                     \
    mode_t mode = 0;                                                                               \
    if (has_mode(flags)) {                                                                         \
        va_list list;                                                                              \
        va_start(list, flags);                                                                     \
        mode = va_arg(list, mode_t);                                                               \
        va_end(list);                                                                              \
    }

#define OPEN(name)                                                                                 \
    PL_EXPORT int name(const char *path, int flags, ...);                                          \
    int name(const char *path, int flags, ...)                                                     \
    {                                                                                              \
        uint64_t pc = PL_CALLER;                                                                   \
        TAKE_MODE(mode, flags)                                                                     \
        return open_file(AT_FDCWD, path, flags, mode, pc);                                         \
    }
OPEN(open)
OPEN(open64)
OPEN(__open)
OPEN(__open64)

#define OPENAT(name)                                                                               \
    PL_EXPORT int name(int at, const char *path, int flags, ...);                                  \
    int name(int at, const char *path, int flags, ...)                                             \
    {                                                                                              \
        uint64_t pc = PL_CALLER;                                                                   \
        TAKE_MODE(mode, flags)                                                                     \
        return open_file(at, path, flags, mode, pc);                                               \
    }
OPENAT(openat)
OPENAT(openat64)

/* What _FORTIFY_SOURCE calls when there is no mode. */
#define OPEN_2(name)                                                                               \
    PL_EXPORT int name(const char *path, int flags);                                               \
    int name(const char *path, int flags)                                                          \
    {                                                                                              \
        return open_file(AT_FDCWD, path, flags, 0, PL_CALLER);                                     \
    }
OPEN_2(__open_2)
OPEN_2(__open64_2)

#define OPENAT_2(name)                                                                             \
    PL_EXPORT int name(int at, const char *path, int flags);                                       \
    int name(int at, const char *path, int flags)                                                  \
    {                                                                                              \
        return open_file(at, path, flags, 0, PL_CALLER);                                           \
    }
OPENAT_2(__openat_2)
OPENAT_2(__openat64_2)

#define CREAT(name)                                                                                \
    PL_EXPORT int name(const char *path, mode_t mode)                                              \
    {                                                                                              \
        return open_file(AT_FDCWD, path, O_CREAT | O_WRONLY | O_TRUNC, mode, PL_CALLER);           \
    }
CREAT(creat)
CREAT(creat64)

/* ---- pipes, sockets and other makers of descriptors ---- */

static int make_pipe(int out[2], int flags, uint64_t pc)
{
    int fd[2] = {-1, -1};
    pl_files_opened();
    if (PL_SYS_ERRNO(SYS_pipe2, fd, flags, 0, 0, 0, 0) < 0)
        return -1;
    made_pair(out, fd, PL_FD_PIPE, pc);
    return 0;
}

PL_EXPORT int pipe(int out[2])
{
    return make_pipe(out, 0, PL_CALLER);
}
PL_EXPORT int pipe2(int out[2], int flags)
{
    return make_pipe(out, flags, PL_CALLER);
}

PL_EXPORT int socketpair(int domain, int type, int protocol, int out[2])
{
    uint64_t pc = PL_CALLER;
    int fd[2] = {-1, -1};
    pl_files_opened();
    if (PL_SYS_ERRNO(SYS_socketpair, domain, type, protocol, fd, 0, 0) < 0)
        return -1;
    made_pair(out, fd, PL_FD_SOCKET, pc);
    return 0;
}

PL_EXPORT int socket(int domain, int type, int protocol)
{
    return made(PL_SYS(SYS_socket, domain, type, protocol, 0, 0, 0), PL_FD_SOCKET, -1);
}

static int accept_one(int fd, struct sockaddr *address, socklen_t *bytes, int flags, uint64_t pc)
{
    if (address && bytes) {
        pl_touch(address, *bytes);
        pl_touch(bytes, sizeof *bytes);
    }
    pl_fd_wait(fd, PL_FD_READABLE, pc);
    int got = made(PL_SYS(SYS_accept4, fd, address, bytes, flags, 0, 0), PL_FD_SOCKET, -1);
    if (got >= 0) {
        pl_fd_acquire(fd);
        if (address && bytes && pl_from_subject(pc))
            pl_write_range(address, *bytes, pc);
    }
    return got;
}

PL_EXPORT int pl_libc_accept(int fd, struct sockaddr *address, socklen_t *bytes) __asm__("accept");
PL_EXPORT int pl_libc_accept4(int fd, struct sockaddr *address, socklen_t *bytes,
                              int flags) __asm__("accept4");
int pl_libc_accept(int fd, struct sockaddr *address, socklen_t *bytes)
{
    return accept_one(fd, address, bytes, 0, PL_CALLER);
}
int pl_libc_accept4(int fd, struct sockaddr *address, socklen_t *bytes, int flags)
{
    return accept_one(fd, address, bytes, flags, PL_CALLER);
}

PL_EXPORT int eventfd(unsigned count, int flags)
{
    int fd = made(PL_SYS(SYS_eventfd2, count, flags, 0, 0, 0, 0), PL_FD_PIPE, -1);
    if (ours(fd))
        state.group[fd] = (uint16_t)(fd + 1);
    return fd;
}

/* A real timer would bring real time into the execution. */
PL_EXPORT int timerfd_create(int clock, int flags)
{
    if (rt.active)
        pl_unsupported("timerfd_create: timers are not supported, time is virtual; sleep in a "
                       "thread instead",
                       PL_CALLER);
    return made(PL_SYS(SYS_timerfd_create, clock, flags, 0, 0, 0, 0), PL_FD_FILE, -1);
}

PL_EXPORT int signalfd(int fd, const sigset_t *mask, int flags)
{
    pl_files_opened();
    return made(PL_SYS(SYS_signalfd4, fd, mask, 8, flags, 0, 0), PL_FD_FILE, -1);
}

PL_EXPORT int epoll_create(int size)
{
    (void)size;
    return made(PL_SYS(SYS_epoll_create1, 0, 0, 0, 0, 0, 0), PL_FD_FILE, -1);
}

PL_EXPORT int epoll_create1(int flags)
{
    return made(PL_SYS(SYS_epoll_create1, flags, 0, 0, 0, 0, 0), PL_FD_FILE, -1);
}

PL_EXPORT int inotify_init(void)
{
    return made(PL_SYS(SYS_inotify_init1, 0, 0, 0, 0, 0, 0), PL_FD_FILE, -1);
}

PL_EXPORT int inotify_init1(int flags)
{
    return made(PL_SYS(SYS_inotify_init1, flags, 0, 0, 0, 0, 0), PL_FD_FILE, -1);
}

PL_EXPORT int memfd_create(const char *name, unsigned flags)
{
    return made(PL_SYS(SYS_memfd_create, name, flags, 0, 0, 0, 0), PL_FD_FILE, -1);
}

/* ---- copies ---- */

static int copied(int from, long fd)
{
    int to = made(fd, PL_FD_FILE, -1);
    if (ours(from) && ours(to)) {
        state.kind[to] = state.kind[from];
        state.group[to] = state.group[from];
    }
    return to;
}

/* The runtime's own descriptors do not exist for the subject. */
static bool is_hidden(int fd, uint64_t pc)
{
    if (fd < FDS || !rt.active || pl_from_runtime(pc))
        return false;
    errno = EBADF;
    return true;
}

PL_EXPORT int dup(int fd)
{
    return copied(fd, PL_SYS(SYS_dup, fd, 0, 0, 0, 0, 0));
}

PL_EXPORT int dup2(int from, int to)
{
    uint64_t pc = PL_CALLER;
    if (is_hidden(to, pc))
        return -1;
    pl_files_replaced(to);
    pl_fd_changed(); /* `to` is closed; whoever waits for it asks again */
    return copied(from, PL_SYS(SYS_dup2, from, to, 0, 0, 0, 0));
}

PL_EXPORT int dup3(int from, int to, int flags)
{
    uint64_t pc = PL_CALLER;
    if (is_hidden(to, pc))
        return -1;
    pl_files_replaced(to);
    pl_fd_changed();
    return copied(from, PL_SYS(SYS_dup3, from, to, flags, 0, 0, 0));
}

#define FCNTL(name)                                                                                \
    PL_EXPORT int name(int fd, int command, ...);                                                  \
    int name(int fd, int command, ...)                                                             \
    {                                                                                              \
        va_list list;                                                                              \
        va_start(list, command);                                                                   \
        long argument = va_arg(list, long);                                                        \
        va_end(list);                                                                              \
        return control(fd, command, argument);                                                     \
    }

static int control(int fd, int command, long argument)
{
    if (command == F_DUPFD || command == F_DUPFD_CLOEXEC)
        return copied(fd, PL_SYS(SYS_fcntl, fd, command, argument, 0, 0, 0));
    if (command == F_GETLK || command == F_OFD_GETLK || command == F_GETOWN_EX)
        pl_touch((void *)argument, 1);
    return (int)PL_SYS_ERRNO(SYS_fcntl, fd, command, argument, 0, 0, 0);
}
FCNTL(fcntl)
FCNTL(fcntl64)
FCNTL(__fcntl)

/* ---- close ---- */

static int close_one(int fd, uint64_t pc)
{
    if (is_hidden(fd, pc))
        return -1;
    pl_files_replaced(fd);
    if (pl_fd_kind(fd) != PL_FD_FILE)
        pl_fd_release(fd);
    if (ours(fd))
        state.kind[fd] = 0, state.group[fd] = 0;
    long result = PL_SYS(SYS_close, fd, 0, 0, 0, 0, 0);
    pl_fd_changed();
    return (int)pl_sys_errno(result);
}

PL_EXPORT int __close(int fd);
PL_EXPORT int close(int fd)
{
    return close_one(fd, PL_CALLER);
}
int __close(int fd)
{
    return close_one(fd, PL_CALLER);
}

static int close_many(unsigned first, unsigned last, int flags, uint64_t pc)
{
    if (rt.active && !pl_from_runtime(pc)) {
        last = last < FDS ? last : FDS - 1;
        for (unsigned fd = first; fd <= last; fd++)
            pl_files_replaced((int)fd);
        pl_fd_changed();
        if (first > last)
            return 0;
    }
    return (int)PL_SYS_ERRNO(SYS_close_range, first, last, flags, 0, 0, 0);
}

PL_EXPORT int close_range(unsigned first, unsigned last, int flags)
{
    return close_many(first, last, flags, PL_CALLER);
}

PL_EXPORT void closefrom(int first)
{
    close_many(first < 0 ? 0 : (unsigned)first, ~0u, 0, PL_CALLER);
}

/* ---- streams and directories ---- */

static FILE *open_stream(const char *path, const char *mode)
{
    pl_files_opened();
    state.streams |= rt.active;
    if (is_random(path))
        return REAL(fdopen)(random_file(), mode);
    return REAL(fopen)(path, mode);
}

PL_EXPORT FILE *fopen(const char *restrict path, const char *restrict mode)
{
    return open_stream(path, mode);
}

PL_EXPORT FILE *fopen64(const char *restrict path, const char *restrict mode)
{
    return open_stream(path, mode);
}

static FILE *reopen_stream(const char *path, const char *mode, FILE *stream)
{
    pl_files_opened();
    pl_files_replaced(fileno(stream));
    state.streams |= rt.active;
    return REAL(freopen)(path, mode, stream);
}

PL_EXPORT FILE *freopen(const char *restrict path, const char *restrict mode, FILE *restrict stream)
{
    return reopen_stream(path, mode, stream);
}

PL_EXPORT FILE *freopen64(const char *restrict path, const char *restrict mode,
                          FILE *restrict stream)
{
    return reopen_stream(path, mode, stream);
}

PL_EXPORT FILE *fdopen(int fd, const char *mode)
{
    state.streams |= rt.active;
    return REAL(fdopen)(fd, mode);
}

static FILE *temporary(void)
{
    pl_files_opened();
    return REAL(tmpfile)();
}

PL_EXPORT FILE *tmpfile(void)
{
    return temporary();
}
PL_EXPORT FILE *tmpfile64(void)
{
    return temporary();
}

PL_EXPORT int fclose(FILE *stream)
{
    uint64_t pc = PL_CALLER;
    int fd = fileno(stream);
    pl_files_replaced(fd);
    if (pl_fd_kind(fd) != PL_FD_FILE)
        pl_fd_release(fd);
    int result = REAL(fclose)(stream);
    pl_stdio_flushed(stream, true, pc);
    pl_fd_changed();
    return result;
}

PL_EXPORT DIR *opendir(const char *path)
{
    pl_files_opened();
    return REAL(opendir)(path);
}

PL_EXPORT DIR *fdopendir(int fd)
{
    pl_files_opened();
    return REAL(fdopendir)(fd);
}

/* ---- temporary names ---- */

/* What an execution makes has a name of this process's own: the same program may run
 * twice at a time. Objects made by others are found under their own names. */
static const char *private_name(const char *name, char out[NAME_BYTES], uint64_t pc)
{
    if (!rt.active || pl_from_runtime(pc))
        return NULL;
    name += name[0] == '/';
    int length = snprintf(out, NAME_BYTES, "/plumb-%d-%s", getpid(), name);
    return length < NAME_BYTES && *name ? out : NULL;
}

PL_EXPORT int shm_open(const char *name, int flags, mode_t mode)
{
    char own[NAME_BYTES];
    const char *private = private_name(name, own, PL_CALLER);
    int before = errno, fd = -1;
    pl_files_opened();
    if (private) {
        fd = REAL(shm_open)(private, flags, mode);
        if (fd >= 0 && (flags & O_CREAT))
            remove_later("/dev/shm/", private + 1);
        if (fd >= 0 || (flags & O_CREAT) || errno != ENOENT)
            return fd;
        errno = before;
    }
    return REAL(shm_open)(name, flags, mode);
}

PL_EXPORT int shm_unlink(const char *name)
{
    char own[NAME_BYTES];
    const char *private = private_name(name, own, PL_CALLER);
    int before = errno;
    if (private) {
        int result = REAL(shm_unlink)(private);
        if (result == 0 || errno != ENOENT)
            return result;
        errno = before;
    }
    return REAL(shm_unlink)(name);
}

/* As libc's, but with names that are the same in every execution. */
static int make_temporary(char *template, int suffix, int flags, uint64_t pc)
{
    static const char letter[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789";
    size_t length = strlen(template);
    if (suffix < 0 || length < 6 + (size_t)suffix) {
        errno = EINVAL;
        return -1;
    }
    char *xs = template + length - 6 - (size_t)suffix;
    if (memcmp(xs, "XXXXXX", 6) != 0) {
        errno = EINVAL;
        return -1;
    }
    if (pl_from_subject(pc)) {
        pl_read_range(template, length + 1, pc);
        pl_write_range(xs, 6, pc);
    }
    for (int tries = 0; tries < 10000; tries++) {
        uint8_t random[6];
        pl_random_fill(random, sizeof random);
        for (int i = 0; i < 6; i++)
            xs[i] = letter[random[i] % 62];
        long fd =
            PL_SYS(SYS_openat, AT_FDCWD, template, O_RDWR | O_CREAT | O_EXCL | flags, 0600, 0, 0);
        if (fd == -EEXIST)
            continue;
        if (fd >= 0)
            remove_later("", template);
        return made(fd, PL_FD_FILE, -1);
    }
    errno = EEXIST;
    return -1;
}

#define MKSTEMP(name, parameters, suffix, flags)                                                   \
    PL_EXPORT int name parameters                                                                  \
    {                                                                                              \
        return make_temporary(template, suffix, flags, PL_CALLER);                                 \
    }
MKSTEMP(mkstemp, (char *template), 0, 0)
MKSTEMP(mkstemp64, (char *template), 0, 0)
MKSTEMP(mkostemp, (char *template, int flags), 0, flags)
MKSTEMP(mkostemp64, (char *template, int flags), 0, flags)
MKSTEMP(mkstemps, (char *template, int suffix), suffix, 0)
MKSTEMP(mkstemps64, (char *template, int suffix), suffix, 0)
MKSTEMP(mkostemps, (char *template, int suffix, int flags), suffix, flags)
MKSTEMP(mkostemps64, (char *template, int suffix, int flags), suffix, flags)
