/*
 * Time is virtual: rt.now, nanoseconds since the start of the execution, the same
 * in every run of it.
 *
 *   real time   2020-01-01 00:00:00 UTC + rt.now
 *   monotonic   1000 s + rt.now
 *   CPU time    rt.now
 *
 * It moves when somebody sleeps or times out, and a little each time it is read,
 * so that a loop that watches the clock ends.
 *
 * Invariants:
 * I1  rt.now never decreases within an execution.
 * I2  Before main the clock stands up to a second earlier: what a constructor has
 *     read is never later than what main reads.
 */
#include <sched.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/time.h>
#include <sys/times.h>
#include <time.h>
#include <unistd.h>

#include "runtime/libc.h"
#include "runtime/loops.h"

#define SECOND    1000000000ull
#define REALTIME  (1577836800ull * SECOND) /* at the start of an execution */
#define MONOTONIC (1000ull * SECOND)
#define FAR_AWAY  (UINT64_MAX / 4) /* later than any clock gets */

enum { TICK = 1000, READS_PER_DOUBLING = 256, MOST_DOUBLINGS = 10 };

static struct {
    uint32_t generation, reads; /* of this execution */
    uint64_t early;             /* clock of the time before main */
    uint32_t reads_of[PL_MAX_THREADS];
} state;

/* Under the explorer the order in which threads happen to run means nothing: time is what has
 * happened before, a millisecond an event, and what the thread has looked before. */
static uint64_t explored_look(void)
{
    const struct pl_thread *t = rt.self;
    uint64_t events = 0;
    for (uint32_t i = 0; i < rt.width; i++)
        events += (uint64_t)t->clock[i];
    pl_loops_effect();
    rt.unkept = true;
    return (events * 1000 + ++state.reads_of[t->id]) * TICK;
}

/* A read costs a microsecond; a program that does nothing but read waits for time to
 * pass, so it passes faster and faster, up to a millisecond a read. */
static uint64_t look(void)
{
    if (!rt.active) {
        state.early += state.early < SECOND - TICK ? TICK : 0;
        return state.early - SECOND; /* I2: as a negative offset */
    }
    if (state.generation != rt.generation) {
        state.generation = rt.generation;
        state.reads = 0;
        memset(state.reads_of, 0, sizeof state.reads_of);
    }
    if (pl_unlikely(rt.exploring))
        return explored_look();
    uint32_t doublings = state.reads++ / READS_PER_DOUBLING;
    rt.now += (uint64_t)TICK << (doublings < MOST_DOUBLINGS ? doublings : MOST_DOUBLINGS);
    return rt.now;
}

/* What a clock shows at rt.now == 0. */
static bool base_of(clockid_t clock, uint64_t *base)
{
    switch (clock) {
    case CLOCK_REALTIME:
    case CLOCK_REALTIME_COARSE:
    case CLOCK_REALTIME_ALARM:
    case CLOCK_TAI:
        *base = REALTIME;
        return true;
    case CLOCK_MONOTONIC:
    case CLOCK_MONOTONIC_RAW:
    case CLOCK_MONOTONIC_COARSE:
    case CLOCK_BOOTTIME:
    case CLOCK_BOOTTIME_ALARM:
        *base = MONOTONIC;
        return true;
    case CLOCK_PROCESS_CPUTIME_ID:
    case CLOCK_THREAD_CPUTIME_ID:
        *base = SECOND; /* so that the time before main is not negative */
        return true;
    default:
        *base = SECOND;
        return clock < 0; /* the CPU clock of a thread or process */
    }
}

static struct timespec to_timespec(uint64_t ns)
{
    return (struct timespec){.tv_sec = (time_t)(ns / SECOND), .tv_nsec = (long)(ns % SECOND)};
}

static bool is_valid(const struct timespec *t)
{
    return t->tv_nsec >= 0 && t->tv_nsec < (long)SECOND;
}

static uint64_t to_ns(const struct timespec *t)
{
    if (t->tv_sec < 0)
        return 0;
    if ((uint64_t)t->tv_sec > FAR_AWAY / SECOND)
        return FAR_AWAY;
    return (uint64_t)t->tv_sec * SECOND + (uint64_t)t->tv_nsec;
}

uint64_t pl_deadline(int clock, const void *timespec_absolute)
{
    uint64_t base = 0, at = to_ns(timespec_absolute);
    base_of(clock, &base);
    return at > base ? at - base : 1;
}

static void announce_write(const void *start, size_t bytes, uint64_t pc)
{
    if (pl_from_subject(pc))
        pl_write_range(start, bytes, pc);
}

/* ---- reading clocks ---- */

int pl_clock_read(int clock, void *timespec, uint64_t pc)
{
    struct timespec *out = timespec;
    uint64_t base;
    if (!base_of(clock, &base))
        return EINVAL;
    announce_write(out, sizeof *out, pc);
    *out = to_timespec(base + look());
    return 0;
}

PL_EXPORT int clock_gettime(clockid_t clock, struct timespec *out)
{
    uint64_t pc = PL_CALLER;
    if (pl_from_runtime(pc))
        return (int)PL_SYS_ERRNO(SYS_clock_gettime, clock, out, 0, 0, 0, 0);
    return (int)pl_sys_errno(-pl_clock_read(clock, out, pc));
}

PL_EXPORT int clock_getres(clockid_t clock, struct timespec *out)
{
    uint64_t pc = PL_CALLER, base;
    if (!base_of(clock, &base)) {
        errno = EINVAL;
        return -1;
    }
    if (out) {
        announce_write(out, sizeof *out, pc);
        *out = (struct timespec){.tv_nsec = 1};
    }
    return 0;
}

PL_EXPORT int gettimeofday(struct timeval *restrict out, void *restrict zone)
{
    uint64_t pc = PL_CALLER, now = REALTIME + look();
    announce_write(out, sizeof *out, pc);
    out->tv_sec = (time_t)(now / SECOND);
    out->tv_usec = (suseconds_t)(now % SECOND / 1000);
    if (zone)
        *(struct timezone *)zone = (struct timezone){0};
    return 0;
}

PL_EXPORT time_t time(time_t *out)
{
    uint64_t pc = PL_CALLER;
    time_t now = (time_t)((REALTIME + look()) / SECOND);
    if (out) {
        announce_write(out, sizeof *out, pc);
        *out = now;
    }
    return now;
}

PL_EXPORT clock_t clock(void)
{
    return (clock_t)((SECOND + look()) / 1000);
}

PL_EXPORT int timespec_get(struct timespec *out, int base)
{
    uint64_t pc = PL_CALLER;
    if (base != TIME_UTC)
        return 0;
    announce_write(out, sizeof *out, pc);
    *out = to_timespec(REALTIME + look());
    return base;
}

PL_EXPORT clock_t times(struct tms *out)
{
    uint64_t pc = PL_CALLER;
    clock_t ticks = (clock_t)((SECOND + look()) / (SECOND / 100));
    if (out) {
        announce_write(out, sizeof *out, pc);
        *out = (struct tms){.tms_utime = ticks};
    }
    return ticks;
}

PL_EXPORT int pl_libc_getrusage(int who, struct rusage *out) __asm__("getrusage");
int pl_libc_getrusage(int who, struct rusage *out)
{
    uint64_t pc = PL_CALLER, now = SECOND + look();
    (void)who;
    announce_write(out, sizeof *out, pc);
    *out = (struct rusage){0};
    out->ru_utime.tv_sec = (time_t)(now / SECOND);
    out->ru_utime.tv_usec = (suseconds_t)(now % SECOND / 1000);
    return 0;
}

/* ---- sleeping ---- */

/* Until `deadline` of the virtual clock. Others run, and any of them may be overtaken. */
static void sleep_until(uint64_t deadline, uint64_t pc)
{
    if (!rt.active)
        return;
    pl_trace(PL_EVENT_SLEEP, NULL, deadline > rt.now ? deadline - rt.now : 0, pc);
    if (deadline <= rt.now || rt.exploring) {
        pl_yield(pc);
        return;
    }
    pl_block(PL_EVENT_SLEEP, NULL, deadline, pc);
    if (rt.now < deadline)
        rt.now = deadline;
}

int pl_sleep(uint64_t ns, uint64_t pc)
{
    sleep_until(rt.now + (ns < FAR_AWAY ? ns : FAR_AWAY), pc);
    return 0;
}

static int sleep_for(const struct timespec *time, struct timespec *left, uint64_t pc)
{
    if (pl_from_subject(pc))
        pl_read_range(time, sizeof *time, pc);
    if (!is_valid(time) || time->tv_sec < 0)
        return EINVAL;
    (void)left; /* written only when a signal interrupts, which none does */
    return pl_sleep(to_ns(time), pc);
}

PL_EXPORT int nanosleep(const struct timespec *time, struct timespec *left)
{
    uint64_t pc = PL_CALLER;
    if (pl_from_runtime(pc))
        return (int)PL_SYS_ERRNO(SYS_nanosleep, time, left, 0, 0, 0, 0);
    int error = sleep_for(time, left, pc);
    if (!error)
        return 0;
    errno = error;
    return -1;
}

PL_EXPORT int clock_nanosleep(clockid_t clock, int flags, const struct timespec *time,
                              struct timespec *left)
{
    uint64_t pc = PL_CALLER, base;
    if (clock == CLOCK_THREAD_CPUTIME_ID || !base_of(clock, &base))
        return EINVAL;
    if (!(flags & TIMER_ABSTIME))
        return sleep_for(time, left, pc);
    if (pl_from_subject(pc))
        pl_read_range(time, sizeof *time, pc);
    if (!is_valid(time))
        return EINVAL;
    sleep_until(pl_deadline(clock, time), pc);
    return 0;
}

PL_EXPORT int usleep(useconds_t us)
{
    uint64_t pc = PL_CALLER;
    return pl_sleep((uint64_t)us * 1000, pc);
}

PL_EXPORT unsigned sleep(unsigned seconds)
{
    uint64_t pc = PL_CALLER;
    pl_sleep(seconds * SECOND, pc);
    return 0;
}

PL_EXPORT int thrd_sleep(const struct timespec *time, struct timespec *left);
int thrd_sleep(const struct timespec *time, struct timespec *left)
{
    return sleep_for(time, left, PL_CALLER) ? -2 : 0;
}

/* ---- yielding ---- */

PL_EXPORT void thrd_yield(void);
void thrd_yield(void)
{
    uint64_t pc = PL_CALLER;
    pl_yield(pc);
}

PL_EXPORT void __plumb_pause(void);
PL_EXPORT int pthread_yield(void);
PL_EXPORT int __sched_yield(void);

PL_EXPORT int sched_yield(void)
{
    uint64_t pc = PL_CALLER;
    pl_yield(pc);
    return 0;
}

int __sched_yield(void)
{
    uint64_t pc = PL_CALLER;
    pl_yield(pc);
    return 0;
}

int pthread_yield(void)
{
    uint64_t pc = PL_CALLER;
    pl_yield(pc);
    return 0;
}

void __plumb_pause(void)
{
    uint64_t pc = PL_CALLER;
    pl_yield(pc);
}

/* ---- timers ----
 * A signal out of the blue has no place in a schedule. A watchdog, alarm() without a
 * handler, is fine: in virtual time it never barks. */

static const char no_timers[] =
    "timers that send a signal (alarm, setitimer, timer_create) are not supported: "
    "remove the timer or call its handler from a thread";

static void refuse_alarm(uint64_t pc)
{
    if (rt.active && pl_signal_has_handler(14 /* SIGALRM */))
        pl_unsupported(no_timers, pc);
}

PL_EXPORT unsigned alarm(unsigned seconds)
{
    (void)seconds;
    refuse_alarm(PL_CALLER);
    return 0;
}

PL_EXPORT useconds_t ualarm(useconds_t first, useconds_t interval)
{
    (void)first, (void)interval;
    refuse_alarm(PL_CALLER);
    return 0;
}

PL_EXPORT int pl_libc_setitimer(int which, const struct itimerval *new,
                                struct itimerval *old) __asm__("setitimer");
int pl_libc_setitimer(int which, const struct itimerval *new, struct itimerval *old)
{
    uint64_t pc = PL_CALLER;
    if (pl_from_runtime(pc))
        return (int)PL_SYS_ERRNO(SYS_setitimer, which, new, old, 0, 0, 0);
    if (new && (new->it_value.tv_sec || new->it_value.tv_usec))
        pl_unsupported(no_timers, pc);
    if (old)
        *old = (struct itimerval){0};
    return 0;
}

PL_EXPORT int timer_create(clockid_t clock, struct sigevent *restrict event,
                           timer_t *restrict timer)
{
    (void)clock, (void)event, (void)timer;
    pl_unsupported(no_timers, PL_CALLER);
}
