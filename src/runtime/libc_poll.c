/*
 * poll, select, epoll_wait: without descriptors they are sleeps; with descriptors
 * the real call is asked, without waiting, until it has something to say, and the
 * other threads run between two questions. A time-out is divided into a few sleeps,
 * each of which others may use.
 */
#include <poll.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/select.h>
#include <time.h>

#include "runtime/libc.h"

#define FOR_EVER UINT64_MAX
enum { SLICES = 4, MS = 1000000 };

/* Asks until the answer is not 0 (ready, or -errno) or the time is over. */
static long ask(long (*question)(void *), void *about, uint64_t timeout, uint64_t pc)
{
    if (rt.active)
        pl_point(pc);
    for (unsigned slice = 0;; slice++) {
        long answer = question(about);
        if (answer != 0 || timeout == 0 || !rt.active)
            return answer;
        if (timeout == FOR_EVER)
            pl_yield(pc);
        else if (slice == SLICES)
            return 0;
        else
            pl_sleep(timeout / SLICES, pc);
    }
}

static uint64_t from_ms(int ms)
{
    return ms < 0 ? FOR_EVER : (uint64_t)ms * MS;
}

static uint64_t from_timespec(const struct timespec *t)
{
    return t ? (uint64_t)t->tv_sec * 1000000000u + (uint64_t)t->tv_nsec : FOR_EVER;
}

/* ---- poll ---- */

struct poll_call {
    struct pollfd *fds;
    nfds_t count;
};

static long ask_poll(void *about)
{
    struct poll_call *call = about;
    return PL_SYS(SYS_poll, call->fds, call->count, 0, 0, 0, 0);
}

static int do_poll(struct pollfd *fds, nfds_t count, uint64_t timeout, uint64_t pc)
{
    struct poll_call call = {fds, count};
    size_t bytes = count * sizeof *fds;
    if (pl_from_subject(pc))
        pl_read_range(fds, bytes, pc);
    pl_touch(fds, bytes);
    long ready = ask(ask_poll, &call, timeout, pc);
    for (nfds_t i = 0; ready > 0 && i < count; i++)
        if (fds[i].revents)
            pl_fd_acquire(fds[i].fd);
    if (pl_from_subject(pc))
        for (nfds_t i = 0; i < count; i++)
            pl_write_range(&fds[i].revents, sizeof fds[i].revents, pc);
    return (int)pl_sys_errno(ready);
}

PL_EXPORT int __poll_chk(struct pollfd *fds, nfds_t count, int ms, size_t room);

PL_EXPORT int poll(struct pollfd *fds, nfds_t count, int ms)
{
    uint64_t pc = PL_CALLER;
    if (pl_from_runtime(pc))
        return (int)PL_SYS_ERRNO(SYS_poll, fds, count, ms, 0, 0, 0);
    return do_poll(fds, count, from_ms(ms), pc);
}

int __poll_chk(struct pollfd *fds, nfds_t count, int ms, size_t room)
{
    uint64_t pc = PL_CALLER;
    if (room / sizeof *fds < count)
        pl_fortify_overflow(fds, count * sizeof *fds, pc);
    return do_poll(fds, count, from_ms(ms), pc);
}

PL_EXPORT int ppoll(struct pollfd *fds, nfds_t count, const struct timespec *timeout,
                    const sigset_t *mask)
{
    uint64_t pc = PL_CALLER;
    (void)mask;
    return do_poll(fds, count, from_timespec(timeout), pc);
}

/* ---- select ---- */

struct select_call {
    int count;
    fd_set *given[3]; /* to read, to write, exceptions; each may be NULL */
    fd_set wanted[3];
};

static long ask_select(void *about)
{
    struct select_call *call = about;
    fd_set answer[3];
    memcpy(answer, call->wanted, sizeof answer);
    struct timeval none = {0, 0};
    long ready =
        PL_SYS(SYS_select, call->count, call->given[0] ? &answer[0] : NULL,
               call->given[1] ? &answer[1] : NULL, call->given[2] ? &answer[2] : NULL, &none, 0);
    if (ready >= 0)
        for (int i = 0; i < 3; i++)
            if (call->given[i])
                *call->given[i] = answer[i];
    return ready;
}

static int do_select(int count, fd_set *to_read, fd_set *to_write, fd_set *except, uint64_t timeout,
                     uint64_t pc)
{
    struct select_call call = {.count = count, .given = {to_read, to_write, except}};
    if (count < 0 || count > FD_SETSIZE) {
        errno = EINVAL;
        return -1;
    }
    size_t bytes = ((size_t)count + 63) / 64 * 8;
    for (int i = 0; i < 3; i++) {
        if (!call.given[i])
            continue;
        if (pl_from_subject(pc)) {
            pl_read_range(call.given[i], bytes, pc);
            pl_write_range(call.given[i], bytes, pc);
        }
        call.wanted[i] = *call.given[i];
    }
    long ready = ask(ask_select, &call, timeout, pc);
    for (int fd = 0; ready > 0 && to_read && fd < count; fd++)
        if (FD_ISSET(fd, to_read))
            pl_fd_acquire(fd);
    return (int)pl_sys_errno(ready);
}

PL_EXPORT int select(int count, fd_set *restrict to_read, fd_set *restrict to_write,
                     fd_set *restrict except, struct timeval *restrict timeout)
{
    uint64_t pc = PL_CALLER, ns = FOR_EVER;
    if (timeout)
        ns = (uint64_t)timeout->tv_sec * 1000000000u + (uint64_t)timeout->tv_usec * 1000;
    return do_select(count, to_read, to_write, except, ns, pc);
}

PL_EXPORT int pselect(int count, fd_set *restrict to_read, fd_set *restrict to_write,
                      fd_set *restrict except, const struct timespec *restrict timeout,
                      const sigset_t *restrict mask)
{
    uint64_t pc = PL_CALLER;
    (void)mask;
    return do_select(count, to_read, to_write, except, from_timespec(timeout), pc);
}

/* ---- epoll ---- */

struct epoll_call {
    int fd, most;
    struct epoll_event *events;
};

static long ask_epoll(void *about)
{
    struct epoll_call *call = about;
    return PL_SYS(SYS_epoll_wait, call->fd, call->events, call->most, 0, 0, 0);
}

static int do_epoll(int fd, struct epoll_event *events, int most, int ms, uint64_t pc)
{
    struct epoll_call call = {fd, most, events};
    if (most > 0)
        pl_touch(events, (size_t)most * sizeof *events);
    long ready = ask(ask_epoll, &call, from_ms(ms), pc);
    if (ready > 0) {
        pl_fd_acquire(-1);
        if (pl_from_subject(pc))
            pl_write_range(events, (size_t)ready * sizeof *events, pc);
    }
    return (int)pl_sys_errno(ready);
}

PL_EXPORT int epoll_wait(int fd, struct epoll_event *events, int most, int ms)
{
    return do_epoll(fd, events, most, ms, PL_CALLER);
}

PL_EXPORT int epoll_pwait(int fd, struct epoll_event *events, int most, int ms,
                          const sigset_t *mask)
{
    (void)mask;
    return do_epoll(fd, events, most, ms, PL_CALLER);
}
