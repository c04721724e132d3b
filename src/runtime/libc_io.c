/*
 * Reading and writing files. The bytes that leave or enter the subject's memory are
 * announced; a call that would block lets the other threads run until it would not.
 *
 * Invariants:
 * I1  The kernel never waits for something another fiber has to do: a descriptor is
 *     asked first, a pipe is written in pieces that fit, a socket without waiting.
 * I2  The kernel never writes to a page the reset watches: pages are touched first,
 *     or the answer goes through the stack.
 */
#include <fcntl.h>
#include <signal.h>
#include <string.h>
#include <sys/eventfd.h>
#include <sys/sendfile.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/uio.h>
#include <unistd.h>

#include "runtime/libc.h"
#include "runtime/libc_files.h"

enum { PAGE = 4096, PIECE = 4096 /* PIPE_BUF: fits if a pipe is writable at all */ };

void pl_touch(void *start, size_t bytes)
{
    uintptr_t from = (uintptr_t)start, end = from + bytes;
    /* A read may be told more room than it will use: never past the program's data. */
    if (from < rt.program_end && end > rt.program_end)
        end = rt.program_end;
    for (uintptr_t at = from; at < end; at = (at & ~(uintptr_t)(PAGE - 1)) + PAGE) {
        volatile char *byte = (volatile char *)at;
        char same = *byte;
        *byte = same;
    }
}

static bool waits(int fd)
{
    long flags = PL_SYS(SYS_fcntl, fd, F_GETFL, 0, 0, 0, 0);
    return flags >= 0 && !(flags & O_NONBLOCK);
}

void pl_fd_wait(int fd, short events, uint64_t pc)
{
    if (!rt.active || pl_from_runtime(pc))
        return;
    pl_point(pc);
    struct pollfd poll_fd = {.fd = fd, .events = events};
    if (PL_SYS(SYS_poll, &poll_fd, 1, 0, 0, 0, 0) != 0 || !waits(fd))
        return;
    do
        if (pl_fd_changes_are_seen(fd))
            pl_fd_sleep(events, pc);
        else
            pl_yield(pc);
    while (PL_SYS(SYS_poll, &poll_fd, 1, 0, 0, 0, 0) == 0);
}

static void read_into(const void *to, size_t bytes, uint64_t pc)
{
    if (pl_from_subject(pc))
        pl_write_range(to, bytes, pc);
}

static void written_from(const void *from, size_t bytes, uint64_t pc)
{
    if (pl_from_subject(pc))
        pl_read_range(from, bytes, pc);
}

static ssize_t done_reading(int fd, long got)
{
    pl_files_moved();
    if (got >= 0)
        pl_fd_acquire(fd);
    pl_fd_changed();
    return pl_sys_errno(got);
}

static ssize_t done_writing(long put, uint64_t pc)
{
    pl_fd_changed();
    if (put == -EPIPE && rt.active)
        pl_signal_raise(SIGPIPE, pc);
    return pl_sys_errno(put);
}

/* ---- read ---- */

static ssize_t read_some(int fd, void *to, size_t bytes, off_t offset, uint64_t pc)
{
    pl_touch(to, bytes); /* I2 */
    if (offset < 0)
        pl_fd_wait(fd, PL_FD_READABLE, pc);
    long got = offset < 0 ? PL_SYS(SYS_read, fd, to, bytes, 0, 0, 0)
                          : PL_SYS(SYS_pread64, fd, to, bytes, offset, 0, 0);
    if (got > 0)
        read_into(to, (size_t)got, pc);
    return done_reading(fd, got);
}

/* The offset of pread must not be negative, which is how read_some tells it from read. */
static ssize_t read_at(int fd, void *to, size_t bytes, off_t offset, uint64_t pc)
{
    if (offset < 0) {
        errno = EINVAL;
        return -1;
    }
    return read_some(fd, to, bytes, offset, pc);
}

PL_EXPORT ssize_t __read(int fd, void *to, size_t bytes);
PL_EXPORT ssize_t __read_chk(int fd, void *to, size_t bytes, size_t room);
PL_EXPORT ssize_t __pread_chk(int fd, void *to, size_t bytes, off_t offset, size_t room);
PL_EXPORT ssize_t __pread64_chk(int fd, void *to, size_t bytes, off_t offset, size_t room);

PL_EXPORT ssize_t read(int fd, void *to, size_t bytes)
{
    return read_some(fd, to, bytes, -1, PL_CALLER);
}

ssize_t __read(int fd, void *to, size_t bytes)
{
    return read_some(fd, to, bytes, -1, PL_CALLER);
}

ssize_t __read_chk(int fd, void *to, size_t bytes, size_t room)
{
    if (bytes > room)
        pl_fortify_overflow(to, bytes, PL_CALLER);
    return read_some(fd, to, bytes, -1, PL_CALLER);
}

PL_EXPORT ssize_t pread(int fd, void *to, size_t bytes, off_t offset)
{
    return read_at(fd, to, bytes, offset, PL_CALLER);
}

PL_EXPORT ssize_t pread64(int fd, void *to, size_t bytes, off_t offset)
{
    return read_at(fd, to, bytes, offset, PL_CALLER);
}

ssize_t __pread_chk(int fd, void *to, size_t bytes, off_t offset, size_t room)
{
    if (bytes > room)
        pl_fortify_overflow(to, bytes, PL_CALLER);
    return read_at(fd, to, bytes, offset, PL_CALLER);
}

ssize_t __pread64_chk(int fd, void *to, size_t bytes, off_t offset, size_t room)
{
    if (bytes > room)
        pl_fortify_overflow(to, bytes, PL_CALLER);
    return read_at(fd, to, bytes, offset, PL_CALLER);
}

/* The parts of a vector that the first `bytes` bytes fill. */
static void for_parts(const struct iovec *part, int parts, size_t bytes,
                      void (*announce)(const void *, size_t, uint64_t), uint64_t pc)
{
    for (int i = 0; i < parts && bytes; i++) {
        size_t here = part[i].iov_len < bytes ? part[i].iov_len : bytes;
        announce(part[i].iov_base, here, pc);
        bytes -= here;
    }
}

static size_t sum_of(const struct iovec *part, int parts)
{
    size_t bytes = 0;
    for (int i = 0; i < parts; i++)
        bytes += part[i].iov_len;
    return bytes;
}

static void touch_parts(const struct iovec *part, int parts)
{
    for (int i = 0; i < parts; i++)
        pl_touch(part[i].iov_base, part[i].iov_len);
}

PL_EXPORT ssize_t readv(int fd, const struct iovec *part, int parts)
{
    uint64_t pc = PL_CALLER;
    touch_parts(part, parts);
    pl_fd_wait(fd, PL_FD_READABLE, pc);
    long got = PL_SYS(SYS_readv, fd, part, parts, 0, 0, 0);
    if (got > 0)
        for_parts(part, parts, (size_t)got, read_into, pc);
    return done_reading(fd, got);
}

static ssize_t read_parts_at(int fd, const struct iovec *part, int parts, off_t offset, int flags,
                             uint64_t pc)
{
    touch_parts(part, parts);
    if (offset < 0)
        pl_fd_wait(fd, PL_FD_READABLE, pc);
    long got = PL_SYS(SYS_preadv2, fd, part, parts, offset, 0, flags);
    if (got > 0)
        for_parts(part, parts, (size_t)got, read_into, pc);
    return done_reading(fd, got);
}

static ssize_t write_parts_at(int fd, const struct iovec *part, int parts, off_t offset, int flags,
                              uint64_t pc)
{
    for_parts(part, parts, sum_of(part, parts), written_from, pc);
    if (offset < 0)
        pl_fd_wait(fd, PL_FD_WRITABLE, pc);
    pl_fd_release(fd);
    pl_files_moved();
    return done_writing(PL_SYS(SYS_pwritev2, fd, part, parts, offset, 0, flags), pc);
}

/* off_t has 64 bits, with and without the suffix. */
#define PARTS_AT(suffix)                                                                           \
    PL_EXPORT ssize_t preadv##suffix(int fd, const struct iovec *part, int parts, off_t offset)    \
    {                                                                                              \
        return read_parts_at(fd, part, parts, offset, 0, PL_CALLER);                               \
    }                                                                                              \
    PL_EXPORT ssize_t pwritev##suffix(int fd, const struct iovec *part, int parts, off_t offset)   \
    {                                                                                              \
        return write_parts_at(fd, part, parts, offset, 0, PL_CALLER);                              \
    }
PARTS_AT()
PARTS_AT(64)
#define PARTS_AT_2(suffix)                                                                         \
    PL_EXPORT ssize_t preadv##suffix(int fd, const struct iovec *part, int parts, off_t offset,    \
                                     int flags)                                                    \
    {                                                                                              \
        return read_parts_at(fd, part, parts, offset, flags, PL_CALLER);                           \
    }                                                                                              \
    PL_EXPORT ssize_t pwritev##suffix(int fd, const struct iovec *part, int parts, off_t offset,   \
                                      int flags)                                                   \
    {                                                                                              \
        return write_parts_at(fd, part, parts, offset, flags, PL_CALLER);                          \
    }
PARTS_AT_2(2)
PARTS_AT_2(64v2)

/* ---- write ---- */

/* One piece after the other, each only when it fits (I1). */
static long write_pipe(int fd, const char *from, size_t bytes, uint64_t pc)
{
    size_t done = 0;
    do {
        size_t piece = bytes - done < PIECE ? bytes - done : PIECE;
        pl_fd_wait(fd, PL_FD_WRITABLE, pc);
        long put = PL_SYS(SYS_write, fd, from + done, piece, 0, 0, 0);
        if (put < 0)
            return done ? (long)done : put;
        done += (size_t)put;
        pl_fd_changed();
        if ((size_t)put < piece)
            break;
    } while (done < bytes);
    return (long)done;
}

/* A socket says how much fits only by taking it. */
static long send_all(int fd, const char *from, size_t bytes, int flags,
                     const struct sockaddr *address, socklen_t address_bytes, uint64_t pc)
{
    bool patient = rt.active && !(flags & MSG_DONTWAIT) && waits(fd);
    size_t done = 0;
    do {
        long put =
            PL_SYS(SYS_sendto, fd, from + done, bytes - done,
                   flags | MSG_NOSIGNAL | (patient ? MSG_DONTWAIT : 0), address, address_bytes);
        if (put == -EAGAIN && patient) {
            pl_yield(pc);
            continue;
        }
        if (put < 0)
            return done ? (long)done : put;
        done += (size_t)put;
        pl_fd_changed();
    } while (patient && done < bytes);
    return (long)done;
}

static ssize_t write_some(int fd, const void *from, size_t bytes, uint64_t pc)
{
    if (!rt.active || pl_from_runtime(pc))
        return PL_SYS_ERRNO(SYS_write, fd, from, bytes, 0, 0, 0);
    written_from(from, bytes, pc);
    pl_point(pc);
    enum pl_fd_kind kind = pl_fd_kind(fd);
    if (kind != PL_FD_FILE)
        pl_fd_release(fd);
    pl_files_moved();
    long put = kind == PL_FD_PIPE     ? write_pipe(fd, from, bytes, pc)
               : kind == PL_FD_SOCKET ? send_all(fd, from, bytes, 0, NULL, 0, pc)
                                      : PL_SYS(SYS_write, fd, from, bytes, 0, 0, 0);
    return done_writing(put, pc);
}

PL_EXPORT ssize_t __write(int fd, const void *from, size_t bytes);
PL_EXPORT ssize_t write(int fd, const void *from, size_t bytes)
{
    return write_some(fd, from, bytes, PL_CALLER);
}

ssize_t __write(int fd, const void *from, size_t bytes)
{
    return write_some(fd, from, bytes, PL_CALLER);
}

static ssize_t write_at(int fd, const void *from, size_t bytes, off_t offset, uint64_t pc)
{
    written_from(from, bytes, pc);
    return PL_SYS_ERRNO(SYS_pwrite64, fd, from, bytes, offset, 0, 0);
}

PL_EXPORT ssize_t pwrite(int fd, const void *from, size_t bytes, off_t offset)
{
    return write_at(fd, from, bytes, offset, PL_CALLER);
}

PL_EXPORT ssize_t pwrite64(int fd, const void *from, size_t bytes, off_t offset)
{
    return write_at(fd, from, bytes, offset, PL_CALLER);
}

PL_EXPORT ssize_t writev(int fd, const struct iovec *part, int parts)
{
    uint64_t pc = PL_CALLER;
    if (pl_fd_kind(fd) == PL_FD_FILE) {
        for_parts(part, parts, sum_of(part, parts), written_from, pc);
        return PL_SYS_ERRNO(SYS_writev, fd, part, parts, 0, 0, 0);
    }
    ssize_t done = 0;
    for (int i = 0; i < parts; i++) {
        ssize_t put = write_some(fd, part[i].iov_base, part[i].iov_len, pc);
        if (put < 0)
            return done ? done : put;
        done += put;
        if ((size_t)put < part[i].iov_len)
            break;
    }
    return done;
}

PL_EXPORT ssize_t sendfile(int to, int from, off_t *offset, size_t bytes)
{
    uint64_t pc = PL_CALLER;
    if (offset)
        pl_touch(offset, sizeof *offset);
    pl_fd_wait(to, PL_FD_WRITABLE, pc);
    pl_fd_release(to);
    return done_writing(PL_SYS(SYS_sendfile, to, from, offset, bytes, 0, 0), pc);
}

PL_EXPORT ssize_t splice(int from, off64_t *from_offset, int to, off64_t *to_offset, size_t bytes,
                         unsigned flags)
{
    uint64_t pc = PL_CALLER;
    pl_fd_wait(from, PL_FD_READABLE, pc);
    pl_fd_wait(to, PL_FD_WRITABLE, pc);
    pl_fd_acquire(from);
    pl_fd_release(to);
    return done_writing(PL_SYS(SYS_splice, from, from_offset, to, to_offset, bytes, flags), pc);
}

/* ---- eventfd: read and write of a number ---- */

PL_EXPORT int eventfd_read(int fd, eventfd_t *value)
{
    return read_some(fd, value, sizeof *value, -1, PL_CALLER) == sizeof *value ? 0 : -1;
}

PL_EXPORT int eventfd_write(int fd, eventfd_t value)
{
    return write_some(fd, &value, sizeof value, PL_CALLER) == sizeof value ? 0 : -1;
}

/* ---- sockets ---- */

PL_EXPORT ssize_t pl_libc_sendto(int fd, const void *from, size_t bytes, int flags,
                                 const struct sockaddr *address,
                                 socklen_t address_bytes) __asm__("sendto");
PL_EXPORT ssize_t pl_libc_recvfrom(int fd, void *to, size_t bytes, int flags,
                                   struct sockaddr *address,
                                   socklen_t *address_bytes) __asm__("recvfrom");
PL_EXPORT ssize_t __recv_chk(int fd, void *to, size_t bytes, size_t room, int flags);

static ssize_t send_some(int fd, const void *from, size_t bytes, int flags,
                         const struct sockaddr *address, socklen_t address_bytes, uint64_t pc)
{
    written_from(from, bytes, pc);
    if (rt.active)
        pl_point(pc);
    pl_fd_release(fd);
    long put = send_all(fd, from, bytes, flags, address, address_bytes, pc);
    if (put == -EPIPE && (flags & MSG_NOSIGNAL))
        return pl_sys_errno(put);
    return done_writing(put, pc);
}

static ssize_t receive(int fd, void *to, size_t bytes, int flags, struct sockaddr *address,
                       socklen_t *address_bytes, uint64_t pc)
{
    pl_touch(to, bytes);
    if (address && address_bytes) {
        pl_touch(address_bytes, sizeof *address_bytes);
        pl_touch(address, *address_bytes);
    }
    size_t done = 0;
    long got;
    do { /* MSG_WAITALL is our loop, not the kernel's */
        if (!(flags & MSG_DONTWAIT))
            pl_fd_wait(fd, PL_FD_READABLE, pc);
        got = PL_SYS(SYS_recvfrom, fd, (char *)to + done, bytes - done, flags & ~MSG_WAITALL,
                     address, address_bytes);
        done += got > 0 ? (size_t)got : 0;
        pl_fd_changed();
    } while ((flags & MSG_WAITALL) && got > 0 && done < bytes);
    if (done)
        read_into(to, done, pc);
    return done_reading(fd, done ? (long)done : got);
}

PL_EXPORT ssize_t send(int fd, const void *from, size_t bytes, int flags)
{
    return send_some(fd, from, bytes, flags, NULL, 0, PL_CALLER);
}

ssize_t pl_libc_sendto(int fd, const void *from, size_t bytes, int flags,
                       const struct sockaddr *address, socklen_t address_bytes)
{
    return send_some(fd, from, bytes, flags, address, address_bytes, PL_CALLER);
}

PL_EXPORT ssize_t recv(int fd, void *to, size_t bytes, int flags)
{
    return receive(fd, to, bytes, flags, NULL, NULL, PL_CALLER);
}

ssize_t pl_libc_recvfrom(int fd, void *to, size_t bytes, int flags, struct sockaddr *address,
                         socklen_t *address_bytes)
{
    return receive(fd, to, bytes, flags, address, address_bytes, PL_CALLER);
}

ssize_t __recv_chk(int fd, void *to, size_t bytes, size_t room, int flags)
{
    if (bytes > room)
        pl_fortify_overflow(to, bytes, PL_CALLER);
    return receive(fd, to, bytes, flags, NULL, NULL, PL_CALLER);
}

PL_EXPORT ssize_t sendmsg(int fd, const struct msghdr *message, int flags)
{
    uint64_t pc = PL_CALLER;
    int parts = (int)message->msg_iovlen;
    for_parts(message->msg_iov, parts, sum_of(message->msg_iov, parts), written_from, pc);
    pl_fd_wait(fd, PL_FD_WRITABLE, pc);
    pl_fd_release(fd);
    return done_writing(PL_SYS(SYS_sendmsg, fd, message, flags | MSG_NOSIGNAL, 0, 0, 0), pc);
}

PL_EXPORT ssize_t recvmsg(int fd, struct msghdr *message, int flags)
{
    uint64_t pc = PL_CALLER;
    int parts = (int)message->msg_iovlen;
    touch_parts(message->msg_iov, parts);
    pl_touch(message, sizeof *message);
    pl_touch(message->msg_name, message->msg_name ? message->msg_namelen : 0);
    pl_touch(message->msg_control, message->msg_control ? message->msg_controllen : 0);
    if (!(flags & MSG_DONTWAIT))
        pl_fd_wait(fd, PL_FD_READABLE, pc);
    long got = PL_SYS(SYS_recvmsg, fd, message, flags, 0, 0, 0);
    pl_files_opened(); /* descriptors travel in messages, too */
    if (got > 0)
        for_parts(message->msg_iov, parts, (size_t)got, read_into, pc);
    return done_reading(fd, got);
}

PL_EXPORT int getsockopt(int fd, int level, int option, void *restrict value,
                         socklen_t *restrict bytes)
{
    uint64_t pc = PL_CALLER;
    pl_touch(value, *bytes);
    pl_touch(bytes, sizeof *bytes);
    long result = PL_SYS(SYS_getsockopt, fd, level, option, value, bytes, 0);
    if (result == 0)
        read_into(value, *bytes, pc);
    return (int)pl_sys_errno(result);
}

#define SOCKET_NAME(name, number)                                                                  \
    PL_EXPORT int pl_libc_##name(int fd, struct sockaddr *address,                                 \
                                 socklen_t *bytes) __asm__(#name);                                 \
    int pl_libc_##name(int fd, struct sockaddr *address, socklen_t *bytes)                         \
    {                                                                                              \
        uint64_t pc = PL_CALLER;                                                                   \
        pl_touch(address, *bytes);                                                                 \
        pl_touch(bytes, sizeof *bytes);                                                            \
        socklen_t room = *bytes;                                                                   \
        long result = PL_SYS(number, fd, address, bytes, 0, 0, 0);                                 \
        if (result == 0)                                                                           \
            read_into(address, *bytes < room ? *bytes : room, pc);                                 \
        return (int)pl_sys_errno(result);                                                          \
    }
SOCKET_NAME(getsockname, SYS_getsockname)
SOCKET_NAME(getpeername, SYS_getpeername)

/* ---- positions ---- */

PL_EXPORT off_t lseek(int fd, off_t offset, int whence)
{
    pl_files_moved();
    return PL_SYS_ERRNO(SYS_lseek, fd, offset, whence, 0, 0, 0);
}

PL_EXPORT off_t lseek64(int fd, off_t offset, int whence)
{
    pl_files_moved();
    return PL_SYS_ERRNO(SYS_lseek, fd, offset, whence, 0, 0, 0);
}

/* ---- about files: the answer goes through the stack (I2) ---- */

static int answer_stat(long result, const struct stat *from, void *to, uint64_t pc)
{
    if (result == 0) {
        read_into(to, sizeof *from, pc);
        memcpy(to, from, sizeof *from);
    }
    return (int)pl_sys_errno(result);
}

static int stat_at(int at, const char *path, void *to, int flags, uint64_t pc)
{
    struct stat st;
    return answer_stat(PL_SYS(SYS_newfstatat, at, path, &st, flags, 0, 0), &st, to, pc);
}

static int stat_fd(int fd, void *to, uint64_t pc)
{
    struct stat st;
    return answer_stat(PL_SYS(SYS_fstat, fd, &st, 0, 0, 0, 0), &st, to, pc);
}

/* stat and stat64 have one layout here. */
#define STAT(suffix)                                                                               \
    PL_EXPORT int pl_libc_stat##suffix(const char *path, void *to) __asm__("stat" #suffix);        \
    PL_EXPORT int pl_libc_lstat##suffix(const char *path, void *to) __asm__("lstat" #suffix);      \
    PL_EXPORT int pl_libc_fstat##suffix(int fd, void *to) __asm__("fstat" #suffix);                \
    PL_EXPORT int pl_libc_fstatat##suffix(int at, const char *path, void *to,                      \
                                          int flags) __asm__("fstatat" #suffix);                   \
    int pl_libc_stat##suffix(const char *path, void *to)                                           \
    {                                                                                              \
        return stat_at(AT_FDCWD, path, to, 0, PL_CALLER);                                          \
    }                                                                                              \
    int pl_libc_lstat##suffix(const char *path, void *to)                                          \
    {                                                                                              \
        return stat_at(AT_FDCWD, path, to, AT_SYMLINK_NOFOLLOW, PL_CALLER);                        \
    }                                                                                              \
    int pl_libc_fstat##suffix(int fd, void *to)                                                    \
    {                                                                                              \
        return stat_fd(fd, to, PL_CALLER);                                                         \
    }                                                                                              \
    int pl_libc_fstatat##suffix(int at, const char *path, void *to, int flags)                     \
    {                                                                                              \
        return stat_at(at, path, to, flags, PL_CALLER);                                            \
    }
STAT()
STAT(64)

PL_EXPORT ssize_t readlink(const char *restrict path, char *restrict to, size_t bytes)
{
    uint64_t pc = PL_CALLER;
    pl_touch(to, bytes);
    long got = PL_SYS(SYS_readlink, path, to, bytes, 0, 0, 0);
    if (got > 0)
        read_into(to, (size_t)got, pc);
    return pl_sys_errno(got);
}

PL_EXPORT ssize_t readlinkat(int at, const char *restrict path, char *restrict to, size_t bytes)
{
    uint64_t pc = PL_CALLER;
    pl_touch(to, bytes);
    long got = PL_SYS(SYS_readlinkat, at, path, to, bytes, 0, 0);
    if (got > 0)
        read_into(to, (size_t)got, pc);
    return pl_sys_errno(got);
}
