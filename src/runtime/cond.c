/*
 * Condition variables.
 *
 *   record: waiters  threads blocked in a wait and not yet signalled
 *           mask64   threads blocked in a destroy until those have gone
 *   memory: __wrefs  the clock of timed waits
 *
 * A wait lets go of the mutex and blocks in one step. A signal takes one waiter, any
 * of them, out of the set: it can then neither time out nor be signalled again. It
 * looks at the condition variable no more, so the signaller may destroy it, as POSIX
 * promises. Signals order nothing by themselves; the mutex does.
 */
#include <errno.h>
#include <string.h>

#include "runtime/model.h"
#include "runtime/objects.h"

enum { SHARED = 1, MONOTONIC = 2 }; /* in __wrefs, as glibc has them */

static struct pl_sync *record(pthread_cond_t *cond, uint64_t pc)
{
    bool fresh;
    struct pl_sync *s = pl_sync_object(PL_SYNC_COND, cond, pc, &fresh);
    if (fresh)
        pl_first_use(&cond->__data.__wrefs, pc);
    return s;
}

int pl_cond_init(pthread_cond_t *cond, clockid_t clock, bool shared, uint64_t pc)
{
    if (rt.active) {
        pl_point(pc);
        pl_writes(cond, sizeof *cond, pc);
        struct pl_sync *old = pl_sync_find(PL_SYNC_COND, cond);
        if (old)
            pl_sync_drop(old);
    }
    memset(cond, 0, sizeof *cond);
    cond->__data.__wrefs = (clock == CLOCK_MONOTONIC ? MONOTONIC : 0) | (shared ? SHARED : 0);
    if (rt.active)
        record(cond, pc);
    return 0;
}

/* As glibc: waits until the last waiter has been woken. If nobody wakes it, that is a
 * deadlock, and it is one in reality. */
int pl_cond_destroy(pthread_cond_t *cond, uint64_t pc)
{
    if (!rt.active)
        return 0;
    pl_point(pc);
    struct pl_sync *s = record(cond, pc);
    if (rt.exploring && s->waiters)
        pl_unsupported("a condition variable is destroyed while a thread waits for it; plumb run "
                       "takes that",
                       pc);
    while (s->waiters) {
        s->mask64 |= pl_self_bit();
        pl_block(PL_EVENT_COND_WAIT, cond, 0, pc);
        s = record(cond, pc);
    }
    pl_changed();
    pl_sync_drop(s);
    return 0;
}

/* A waiter has gone: perhaps somebody waits to destroy it. */
static void waiter_gone(struct pl_sync *s)
{
    if (!s->waiters)
        pl_release_waiters(&s->mask64);
}

/* ---- under the explorer ----
 * Waits, signals and time-outs of one condition variable are each one step, in some order;
 * they synchronise nothing. A wait is in the set before its mutex is free.
 * A thread wakes for no reason once: every loop around a wait would have no end. That is a bound,
 * and the verdict names it. */

static bool may_wake(void)
{
    if (rt.options->spurious && rt.self->has_woken)
        rt.wire->woken_once = 1;
    return rt.options->spurious && !rt.self->has_woken;
}

static enum pl_wake explored_sleep(pthread_cond_t *cond, bool timed, uint64_t pc)
{
    unsigned ways = 1u + timed + may_wake();
    unsigned way = ways > 1 ? pl_model_choose(ways, pc) : 0;
    if (way == 0) {
        pl_model_sleep(cond, PL_EVENT_COND_WAIT, timed, pc);
        return PL_WOKEN;
    }
    pl_model_enter(cond, true, pc);
    struct pl_sync *s = record(cond, pc);
    if (!(s->waiters & pl_self_bit()))
        pl_stop(); /* it was signalled first: as if it had waited for that */
    s->waiters &= ~pl_self_bit();
    pl_model_exit(cond, pc);
    if (way == 1 && timed)
        return PL_TIMED_OUT;
    rt.self->has_woken = 1;
    return PL_SPURIOUS;
}

static int explored_wait(pthread_cond_t *cond, pthread_mutex_t *mutex, bool timed, uint64_t pc)
{
    pl_model_enter(cond, true, pc);
    record(cond, pc)->waiters |= pl_self_bit();
    pl_model_exit(cond, pc);
    pl_trace(PL_EVENT_COND_WAIT, cond, 0, pc);
    pl_point(pc);
    int status = pl_mutex_unlock(mutex, pc);
    if (status) {
        record(cond, pc)->waiters &= ~pl_self_bit();
        return status;
    }
    enum pl_wake why = explored_sleep(cond, timed, pc);
    if (why == PL_TIMED_OUT)
        pl_timed_out(cond, pc);
    else
        pl_trace(why == PL_SPURIOUS ? PL_EVENT_SPURIOUS : PL_EVENT_COND_WAKE, cond, 0, pc);
    pl_point(pc);
    status = pl_mutex_lock(mutex, PL_FOR_EVER, pc);
    return status ? status : why == PL_TIMED_OUT ? ETIMEDOUT : 0;
}

static void explored_signal(pthread_cond_t *cond, bool all, uint64_t pc)
{
    pl_model_enter(cond, true, pc);
    struct pl_sync *s = record(cond, pc);
    uint64_t left = s->waiters;
    if (left && !all) {
        pl_point(pc);
        left = UINT64_C(1) << pl_choose_bit(left);
    }
    s->waiters &= ~left;
    for (; left; left &= left - 1)
        pl_model_rouse((unsigned)__builtin_ctzll(left), pc);
    pl_model_exit(cond, pc);
}

int pl_cond_wait(pthread_cond_t *cond, pthread_mutex_t *mutex, struct pl_until until, uint64_t pc)
{
    if (rt.active)
        pl_reads(until.time, sizeof *until.time, pc);
    if (!pl_until_valid(until))
        return EINVAL;
    if (!rt.active)
        return until.time ? ETIMEDOUT : 0;
    pl_point(pc);
    struct pl_sync *s = record(cond, pc);
    if (rt.exploring)
        return explored_wait(cond, mutex, until.time != NULL, pc);
    if (until.clock == PL_CLOCK_OF_COND)
        until.clock = cond->__data.__wrefs & MONOTONIC ? CLOCK_MONOTONIC : CLOCK_REALTIME;
    int status = pl_mutex_unlock(mutex, pc);
    if (status)
        return status;
    s->waiters |= pl_self_bit();
    pl_changed();
    pl_trace(PL_EVENT_COND_WAIT, cond, 0, pc);
    enum pl_wake why = pl_block_spurious(PL_EVENT_COND_WAIT, cond, pl_until_deadline(until), pc);
    if (why != PL_WOKEN) {
        s = pl_sync_find(PL_SYNC_COND, cond);
        if (s) {
            s->waiters &= ~pl_self_bit();
            waiter_gone(s);
        }
    }
    if (why == PL_TIMED_OUT)
        pl_timed_out(cond, pc);
    else
        pl_trace(why == PL_SPURIOUS ? PL_EVENT_SPURIOUS : PL_EVENT_COND_WAKE, cond, 0, pc);
    status = pl_mutex_lock(mutex, PL_FOR_EVER, pc);
    if (status)
        return status;
    return why == PL_TIMED_OUT ? ETIMEDOUT : 0;
}

int pl_cond_signal(pthread_cond_t *cond, uint64_t pc)
{
    if (!rt.active)
        return 0;
    pl_point(pc);
    struct pl_sync *s = record(cond, pc);
    pl_trace(PL_EVENT_COND_SIGNAL, cond, 0, pc);
    if (rt.exploring) {
        explored_signal(cond, false, pc);
        return 0;
    }
    if (s->waiters) {
        unsigned thread = pl_choose_bit(s->waiters);
        s->waiters &= ~(UINT64_C(1) << thread);
        pl_changed();
        pl_wake(thread);
        waiter_gone(s);
    }
    return 0;
}

int pl_cond_broadcast(pthread_cond_t *cond, uint64_t pc)
{
    if (!rt.active)
        return 0;
    pl_point(pc);
    struct pl_sync *s = record(cond, pc);
    pl_trace(PL_EVENT_COND_BROADCAST, cond, 0, pc);
    if (rt.exploring) {
        explored_signal(cond, true, pc);
        return 0;
    }
    if (s->waiters) {
        pl_changed();
        pl_release_waiters(&s->waiters);
        waiter_gone(s);
    }
    return 0;
}

/* ---- what the subject calls ---- */

PL_EXPORT int pthread_cond_init(pthread_cond_t *cond, const pthread_condattr_t *attr)
{
    uint64_t pc = PL_CALLER;
    clockid_t clock = CLOCK_REALTIME;
    int shared = PTHREAD_PROCESS_PRIVATE;
    if (attr) {
        pthread_condattr_getclock(attr, &clock);
        pthread_condattr_getpshared(attr, &shared);
    }
    return pl_cond_init(cond, clock, shared == PTHREAD_PROCESS_SHARED, pc);
}

PL_EXPORT int pthread_cond_destroy(pthread_cond_t *cond)
{
    uint64_t pc = PL_CALLER;
    return pl_cond_destroy(cond, pc);
}

PL_EXPORT int pthread_cond_wait(pthread_cond_t *cond, pthread_mutex_t *mutex)
{
    uint64_t pc = PL_CALLER;
    return pl_cond_wait(cond, mutex, PL_FOR_EVER, pc);
}

PL_EXPORT int pthread_cond_timedwait(pthread_cond_t *cond, pthread_mutex_t *mutex,
                                     const struct timespec *time)
{
    uint64_t pc = PL_CALLER;
    return pl_cond_wait(cond, mutex, (struct pl_until){time, PL_CLOCK_OF_COND}, pc);
}

PL_EXPORT int pthread_cond_clockwait(pthread_cond_t *cond, pthread_mutex_t *mutex, clockid_t clock,
                                     const struct timespec *time)
{
    uint64_t pc = PL_CALLER;
    if (!pl_clock_valid(clock))
        return EINVAL;
    return pl_cond_wait(cond, mutex, (struct pl_until){time, clock}, pc);
}

PL_EXPORT int pthread_cond_signal(pthread_cond_t *cond)
{
    uint64_t pc = PL_CALLER;
    return pl_cond_signal(cond, pc);
}

PL_EXPORT int pthread_cond_broadcast(pthread_cond_t *cond)
{
    uint64_t pc = PL_CALLER;
    return pl_cond_broadcast(cond, pc);
}
