/*
 * What the system tells about itself: limits, file systems, groups, memory; and what
 * the subject tells sockets. The kernel writes to memory of the subject here, so that
 * its pages are touched first (the reset watches them, and the kernel would answer
 * EFAULT), or the answer goes through the stack.
 *
 * Limits are those of the process at the start; one that the subject sets is
 * remembered until the reset and has no effect: the process is needed for the next
 * execution, and a limit once lowered may not be raised again.
 */
#include <dirent.h>
#include <fcntl.h>
#include <grp.h>
#include <sched.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/statfs.h>
#include <sys/statvfs.h>
#include <sys/sysinfo.h>
#include <sys/time.h>
#include <sys/uio.h>
#include <sys/xattr.h>
#include <unistd.h>

#include "runtime/libc.h"
#include "runtime/libc_files.h"

#define REAL_TABLE(X)                                                                              \
    X(int, statvfs, (const char *, struct statvfs *))                                              \
    X(int, fstatvfs, (int, struct statvfs *))                                                      \
    X(int, gethostname, (char *, size_t))                                                          \
    X(int, readdir_r, (DIR *, struct dirent *, struct dirent **))
REAL_TABLE(PL_REAL_POINTER)
#define REAL(name) (*(real_##name ? real_##name : (pl_system_init(), real_##name)))

void pl_system_init(void)
{
    REAL_TABLE(PL_REAL_FIND)
}

static void wrote(const void *to, size_t bytes, uint64_t pc)
{
    if (to && bytes && pl_from_subject(pc))
        pl_write_range(to, bytes, pc);
}

static void was_read(const void *from, size_t bytes, uint64_t pc)
{
    if (from && bytes && pl_from_subject(pc))
        pl_read_range(from, bytes, pc);
}

/* Hands an answer of the kernel over. */
static int answer(long result, void *to, const void *from, size_t bytes, uint64_t pc)
{
    if (result == 0) {
        wrote(to, bytes, pc);
        memcpy(to, from, bytes);
    }
    return (int)pl_sys_errno(result);
}

/* ---- limits ---- */

static struct {
    struct rlimit limit[RLIM_NLIMITS];
    uint32_t is_set; /* bit per resource */
} limits;

void pl_limits_reset(void)
{
    limits.is_set = 0;
}

static long limit_of(int resource, struct rlimit *out)
{
    if (resource >= 0 && resource < RLIM_NLIMITS && limits.is_set >> resource & 1) {
        *out = limits.limit[resource];
        return 0;
    }
    return PL_SYS(SYS_prlimit64, 0, resource, NULL, out, 0, 0);
}

static long set_limit(int resource, const struct rlimit *new)
{
    struct rlimit now = {0};
    if (!rt.active)
        return PL_SYS(SYS_prlimit64, 0, resource, new, NULL, 0, 0);
    if (limit_of(resource, &now) < 0 || new->rlim_cur > new->rlim_max)
        return -EINVAL;
    if (new->rlim_max > now.rlim_max)
        return -EPERM;
    limits.limit[resource] = *new;
    limits.is_set |= 1u << resource;
    rt.unkept = true;
    return 0;
}

#define LIMITS(suffix)                                                                             \
    PL_EXPORT int pl_libc_getrlimit##suffix(int resource,                                          \
                                            struct rlimit *to) __asm__("getrlimit" #suffix);       \
    PL_EXPORT int pl_libc_setrlimit##suffix(int resource, const struct rlimit *from) __asm__(      \
        "setrlimit" #suffix);                                                                      \
    PL_EXPORT int pl_libc_prlimit##suffix(pid_t pid, int resource, const struct rlimit *from,      \
                                          struct rlimit *to) __asm__("prlimit" #suffix);           \
    int pl_libc_getrlimit##suffix(int resource, struct rlimit *to)                                 \
    {                                                                                              \
        struct rlimit limit;                                                                       \
        return answer(limit_of(resource, &limit), to, &limit, sizeof limit, PL_CALLER);            \
    }                                                                                              \
    int pl_libc_setrlimit##suffix(int resource, const struct rlimit *from)                         \
    {                                                                                              \
        was_read(from, sizeof *from, PL_CALLER);                                                   \
        return (int)pl_sys_errno(set_limit(resource, from));                                       \
    }                                                                                              \
    int pl_libc_prlimit##suffix(pid_t pid, int resource, const struct rlimit *from,                \
                                struct rlimit *to)                                                 \
    {                                                                                              \
        uint64_t pc = PL_CALLER;                                                                   \
        struct rlimit limit;                                                                       \
        (void)pid;                                                                                 \
        was_read(from, sizeof *from, pc);                                                          \
        if (to && answer(limit_of(resource, &limit), to, &limit, sizeof limit, pc) < 0)            \
            return -1;                                                                             \
        return from ? (int)pl_sys_errno(set_limit(resource, from)) : 0;                            \
    }
LIMITS()
LIMITS(64)

/* ---- file systems ---- */

#define STATFS(suffix)                                                                             \
    PL_EXPORT int pl_libc_statfs##suffix(const char *path, void *to) __asm__("statfs" #suffix);    \
    PL_EXPORT int pl_libc_fstatfs##suffix(int fd, void *to) __asm__("fstatfs" #suffix);            \
    PL_EXPORT int pl_libc_statvfs##suffix(const char *path, void *to) __asm__("statvfs" #suffix);  \
    PL_EXPORT int pl_libc_fstatvfs##suffix(int fd, void *to) __asm__("fstatvfs" #suffix);          \
    int pl_libc_statfs##suffix(const char *path, void *to)                                         \
    {                                                                                              \
        struct statfs st;                                                                          \
        return answer(PL_SYS(SYS_statfs, path, &st, 0, 0, 0, 0), to, &st, sizeof st, PL_CALLER);   \
    }                                                                                              \
    int pl_libc_fstatfs##suffix(int fd, void *to)                                                  \
    {                                                                                              \
        struct statfs st;                                                                          \
        return answer(PL_SYS(SYS_fstatfs, fd, &st, 0, 0, 0, 0), to, &st, sizeof st, PL_CALLER);    \
    }                                                                                              \
    int pl_libc_statvfs##suffix(const char *path, void *to)                                        \
    {                                                                                              \
        int result = REAL(statvfs)(path, to);                                                      \
        wrote(to, result == 0 ? sizeof(struct statvfs) : 0, PL_CALLER);                            \
        return result;                                                                             \
    }                                                                                              \
    int pl_libc_fstatvfs##suffix(int fd, void *to)                                                 \
    {                                                                                              \
        int result = REAL(fstatvfs)(fd, to);                                                       \
        wrote(to, result == 0 ? sizeof(struct statvfs) : 0, PL_CALLER);                            \
        return result;                                                                             \
    }
STATFS()
STATFS(64)

PL_EXPORT int pl_libc_statx(int at, const char *path, int flags, unsigned mask,
                            void *to) __asm__("statx");
int pl_libc_statx(int at, const char *path, int flags, unsigned mask, void *to)
{
    struct statx st;
    return answer(PL_SYS(SYS_statx, at, path, flags, mask, &st, 0), to, &st, sizeof st, PL_CALLER);
}

/* Attributes of files: as many bytes as the answer says. */
static ssize_t filled(long got, void *to, size_t room, uint64_t pc)
{
    if (got > 0 && room)
        wrote(to, (size_t)got, pc);
    return pl_sys_errno(got);
}

#define GETXATTR(call, type)                                                                       \
    PL_EXPORT ssize_t call(type file, const char *name, void *to, size_t room)                     \
    {                                                                                              \
        pl_touch(to, room);                                                                        \
        return filled(PL_SYS(SYS_##call, file, name, to, room, 0, 0), to, room, PL_CALLER);        \
    }
GETXATTR(getxattr, const char *)
GETXATTR(lgetxattr, const char *)
GETXATTR(fgetxattr, int)

#define LISTXATTR(call, type)                                                                      \
    PL_EXPORT ssize_t call(type file, char *to, size_t room)                                       \
    {                                                                                              \
        pl_touch(to, room);                                                                        \
        return filled(PL_SYS(SYS_##call, file, to, room, 0, 0, 0), to, room, PL_CALLER);           \
    }
LISTXATTR(listxattr, const char *)
LISTXATTR(llistxattr, const char *)
LISTXATTR(flistxattr, int)

PL_EXPORT ssize_t getdents64(int fd, void *to, size_t room)
{
    pl_touch(to, room);
    pl_files_moved();
    return filled(PL_SYS(SYS_getdents64, fd, to, room, 0, 0, 0), to, room, PL_CALLER);
}

#define READDIR_R(suffix)                                                                          \
    PL_EXPORT int pl_libc_readdir_r##suffix(DIR *directory, struct dirent *entry,                  \
                                            struct dirent **result) __asm__("readdir" #suffix      \
                                                                            "_r");                 \
    int pl_libc_readdir_r##suffix(DIR *directory, struct dirent *entry, struct dirent **result)    \
    {                                                                                              \
        uint64_t pc = PL_CALLER;                                                                   \
        int error = REAL(readdir_r)(directory, entry, result);                                     \
        wrote(result, sizeof *result, pc);                                                         \
        if (!error && *result)                                                                     \
            wrote(entry, entry->d_reclen, pc);                                                     \
        return error;                                                                              \
    }
READDIR_R()
READDIR_R(64)

/* ---- the process ---- */

PL_EXPORT int sysinfo(struct sysinfo *to)
{
    struct sysinfo info;
    return answer(PL_SYS(SYS_sysinfo, &info, 0, 0, 0, 0, 0), to, &info, sizeof info, PL_CALLER);
}

PL_EXPORT int pl_libc_gethostname(char *to, size_t room) __asm__("gethostname");
int pl_libc_gethostname(char *to, size_t room)
{
    int result = REAL(gethostname)(to, room);
    wrote(to, result == 0 ? strnlen(to, room) + 1 : 0, PL_CALLER);
    return result;
}

PL_EXPORT int pl_libc_getgroups(int room, gid_t *to) __asm__("getgroups");
int pl_libc_getgroups(int room, gid_t *to)
{
    if (room > 0)
        pl_touch(to, (size_t)room * sizeof *to);
    long got = PL_SYS(SYS_getgroups, room, to, 0, 0, 0, 0);
    if (got > 0 && room > 0)
        wrote(to, (size_t)got * sizeof *to, PL_CALLER);
    return (int)pl_sys_errno(got);
}

#define THREE_IDS(call)                                                                            \
    PL_EXPORT int call(unsigned *real, unsigned *effective, unsigned *saved)                       \
    {                                                                                              \
        uint64_t pc = PL_CALLER;                                                                   \
        unsigned id[3] = {0};                                                                      \
        long result = PL_SYS(SYS_##call, &id[0], &id[1], &id[2], 0, 0, 0);                         \
        answer(result, real, &id[0], sizeof id[0], pc);                                            \
        answer(result, effective, &id[1], sizeof id[0], pc);                                       \
        return answer(result, saved, &id[2], sizeof id[0], pc);                                    \
    }
THREE_IDS(getresuid)
THREE_IDS(getresgid)

PL_EXPORT int sched_getparam(pid_t pid, struct sched_param *to)
{
    (void)pid;
    struct sched_param none = {0};
    return answer(0, to, &none, sizeof none, PL_CALLER);
}

PL_EXPORT int sched_rr_get_interval(pid_t pid, struct timespec *to)
{
    (void)pid;
    struct timespec slice = {.tv_nsec = 100000000};
    return answer(0, to, &slice, sizeof slice, PL_CALLER);
}

PL_EXPORT int __sched_cpucount(size_t bytes, const cpu_set_t *set)
{
    was_read(set, bytes, PL_CALLER);
    int count = 0;
    for (size_t i = 0; i < bytes / sizeof(unsigned long); i++)
        count += __builtin_popcountl(((const unsigned long *)(const void *)set)[i]);
    return count;
}

/* No timer runs: setitimer refuses. */
PL_EXPORT int pl_libc_getitimer(int which, struct itimerval *to) __asm__("getitimer");
int pl_libc_getitimer(int which, struct itimerval *to)
{
    (void)which;
    struct itimerval none = {0};
    return answer(0, to, &none, sizeof none, PL_CALLER);
}

PL_EXPORT int mincore(void *start, size_t bytes, unsigned char *to)
{
    size_t pages = (bytes + 4095) / 4096;
    pl_touch(to, pages);
    long result = PL_SYS(SYS_mincore, start, bytes, to, 0, 0, 0);
    wrote(to, result == 0 ? pages : 0, PL_CALLER);
    return (int)pl_sys_errno(result);
}

/* ---- what the kernel is told ---- */

PL_EXPORT int epoll_ctl(int epoll, int command, int fd, struct epoll_event *event)
{
    was_read(event, sizeof *event, PL_CALLER);
    pl_fd_release(epoll);
    long result = PL_SYS(SYS_epoll_ctl, epoll, command, fd, event, 0, 0);
    pl_fd_changed();
    return (int)pl_sys_errno(result);
}

PL_EXPORT int setsockopt(int fd, int level, int option, const void *value, socklen_t bytes)
{
    was_read(value, bytes, PL_CALLER);
    return (int)PL_SYS_ERRNO(SYS_setsockopt, fd, level, option, value, bytes, 0);
}

PL_EXPORT int pl_libc_bind(int fd, const struct sockaddr *address, socklen_t bytes) __asm__("bind");
int pl_libc_bind(int fd, const struct sockaddr *address, socklen_t bytes)
{
    was_read(address, bytes, PL_CALLER);
    return (int)PL_SYS_ERRNO(SYS_bind, fd, address, bytes, 0, 0, 0);
}

/* The accept that answers comes after what was done before the connect. */
PL_EXPORT int pl_libc_connect(int fd, const struct sockaddr *address,
                              socklen_t bytes) __asm__("connect");
int pl_libc_connect(int fd, const struct sockaddr *address, socklen_t bytes)
{
    was_read(address, bytes, PL_CALLER);
    pl_fd_release(fd);
    long result = PL_SYS(SYS_connect, fd, address, bytes, 0, 0, 0);
    pl_fd_changed();
    return (int)pl_sys_errno(result);
}

PL_EXPORT int shutdown(int fd, int how)
{
    pl_fd_release(fd);
    long result = PL_SYS(SYS_shutdown, fd, how, 0, 0, 0, 0);
    pl_fd_changed();
    return (int)pl_sys_errno(result);
}
