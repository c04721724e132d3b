/*
 * Mutexes: normal, recursive, error-checking, adaptive (as normal), robust.
 *
 *   record: owner   1 + thread that holds it, 0 = free
 *           count   how often its owner has locked it
 *           type    PTHREAD_MUTEX_… or INVALID after a destroy; extra[0]: __kind
 *           flags   ROBUST, and what became of its owner
 *
 * Where POSIX leaves the behaviour open we do as glibc does, for that is what the
 * program would meet: a normal mutex locked again by its owner blocks for ever, and
 * anybody can unlock it; one that was destroyed answers EINVAL.
 *
 * Invariant:
 * I1  __kind in the memory is the record's, and __lock is 1 exactly while it has an
 *     owner. Memory that says otherwise has been initialised anew, by assignment or as
 *     another variable of a later stack frame: a new mutex.
 * I2  Under the explorer the graph says who gets it. The record says who was the last to: its owner
 *     only as long as nobody unlocked what was not his (else mutexes are words, and of a normal one
 *     the owner is not looked at).
 */
#include <errno.h>
#include <string.h>

#include "runtime/model.h"
#include "runtime/objects.h"

enum { INVALID = 255 };
enum {
    ROBUST = 1,
    OWNER_DEAD = 2,      /* its owner ended: the next to lock it is told */
    INCONSISTENT = 4,    /* told, and pthread_mutex_consistent not yet called */
    NOT_RECOVERABLE = 8, /* unlocked in that state */
};
/* In __kind, as glibc has them. */
enum { KIND_TYPE = 3, KIND_ROBUST = 16, KIND_INHERIT = 32, KIND_PROTECT = 64, KIND_SHARED = 128 };

/* Robust mutexes of this execution: looked through when a thread ends. */
enum { MAX_ROBUST = 256 };
static pthread_mutex_t *robust[MAX_ROBUST];
static uint32_t robust_count, robust_generation;

static void remember_robust(pthread_mutex_t *mutex, uint64_t pc)
{
    rt.unkept = true;
    if (robust_generation != rt.generation) {
        robust_generation = rt.generation;
        robust_count = 0;
    }
    for (uint32_t i = 0; i < robust_count; i++)
        if (robust[i] == mutex)
            return;
    if (robust_count == MAX_ROBUST)
        pl_unsupported("more than 256 robust mutexes in one execution", pc);
    robust[robust_count++] = mutex;
}

/* What the memory says: a static initialiser, an init before main, or a destroy. */
static void adopt(struct pl_sync *s, pthread_mutex_t *mutex, uint64_t pc)
{
    int kind = mutex->__data.__kind;
    s->extra[0] = kind;
    s->type = kind < 0 ? INVALID : (uint8_t)(kind & KIND_TYPE);
    if (kind >= 0 && kind & KIND_ROBUST) {
        s->flags = ROBUST;
        remember_robust(mutex, pc);
    }
    pl_first_use(&mutex->__data.__kind, pc);
}

static bool is_another(const struct pl_sync *s, const pthread_mutex_t *mutex) /* I1 */
{
    return mutex->__data.__kind != s->extra[0] || (s->owner && !mutex->__data.__lock);
}

static struct pl_sync *record(pthread_mutex_t *mutex, uint64_t pc)
{
    bool fresh;
    struct pl_sync *s = pl_sync_object(PL_SYNC_MUTEX, mutex, pc, &fresh);
    if (pl_unlikely(!fresh && is_another(s, mutex))) {
        pl_sync_drop(s);
        s = pl_sync_object(PL_SYNC_MUTEX, mutex, pc, &fresh);
    }
    if (pl_unlikely(fresh))
        adopt(s, mutex, pc);
    return s;
}

/* Only its owner can unlock it. */
static bool checks(const struct pl_sync *s)
{
    return s->type == PTHREAD_MUTEX_ERRORCHECK || s->type == PTHREAD_MUTEX_RECURSIVE ||
           s->flags & ROBUST;
}

/* The mutex is free: take it. */
static int take(struct pl_sync *s, pthread_mutex_t *mutex, enum pl_event_kind event, uint64_t pc)
{
    s->owner = pl_self_owner();
    s->count = 1;
    mutex->__data.__lock = 1;
    if (!rt.exploring)
        pl_acquire(s->release);
    pl_changed();
    if (pl_unlikely(s->flags & OWNER_DEAD)) {
        s->flags = ROBUST | INCONSISTENT;
        pl_trace(event, mutex, EOWNERDEAD, pc);
        return EOWNERDEAD;
    }
    pl_trace(event, mutex, 0, pc);
    return 0;
}

/* A mutex as a word under the explorer: 0 when free. */
static bool explored_take(const pthread_mutex_t *mutex, enum pl_await await, bool timed,
                          uint64_t pc)
{
    struct pl_model_step step = {.object = mutex,
                                 .op = PL_OP_CAS,
                                 .operand = 1,
                                 .order = PL_ORDER_ACQUIRE,
                                 .await = await,
                                 .in = PL_EVENT_LOCK,
                                 .timed = timed};
    bool ok;
    (void)pl_model_object_update(&step, &ok, pc);
    return ok;
}

static int explored_lock(struct pl_sync *s, pthread_mutex_t *mutex, struct pl_until until,
                         uint64_t pc)
{
    if (s->flags)
        pl_unsupported("robust mutexes are not explored; plumb run takes them", pc);
    if (s->type == INVALID)
        return EINVAL;
    if (until.time)
        pl_model_make_locks_words();
    if (!pl_model_locks_are_words()) {
        pl_model_lock(mutex, &s->waiters, pc);
        return 0;
    }
    if (until.time) {
        if (explored_take(mutex, PL_AWAIT_NONE, false, pc))
            return 0;
        if (!pl_until_valid(until))
            return EINVAL;
        if (pl_model_choose(2, pc) == 1)
            return pl_timed_out(mutex, pc);
    }
    (void)explored_take(mutex, PL_AWAIT_WRITE, until.time != NULL, pc);
    return 0;
}

/* Who unlocks what another holds, or nobody, makes it free. A lock of the graph knows no such
 * thing, but a word does. */
static void explored_unlock(const struct pl_sync *s, const pthread_mutex_t *mutex, uint64_t pc)
{
    if (s->owner != pl_self_owner())
        pl_model_make_locks_words();
    if (!pl_model_locks_are_words()) {
        pl_model_unlock(mutex, pc);
        return;
    }
    struct pl_model_step step = {.object = mutex, .order = PL_ORDER_RELEASE};
    pl_model_object_write(&step, pc);
}

int pl_mutex_lock(pthread_mutex_t *mutex, struct pl_until until, uint64_t pc)
{
    struct pl_sync *s = record(mutex, pc);
    if (s->owner == pl_self_owner()) {
        if (s->type == PTHREAD_MUTEX_ERRORCHECK)
            return EDEADLK;
        if (s->type == PTHREAD_MUTEX_RECURSIVE) {
            if (s->count == INT32_MAX)
                return EAGAIN;
            s->count++;
            pl_changed();
            pl_trace(PL_EVENT_LOCK, mutex, 0, pc);
            return 0;
        }
    }
    if (pl_unlikely(rt.exploring)) {
        int status = explored_lock(s, mutex, until, pc);
        if (status)
            return status;
        s = record(mutex, pc);
        return s->type == INVALID ? EINVAL : take(s, mutex, PL_EVENT_LOCK, pc); /* I2 */
    }
    for (;;) {
        if (s->type == INVALID)
            return EINVAL;
        if (s->flags & NOT_RECOVERABLE)
            return ENOTRECOVERABLE;
        if (!s->owner)
            return take(s, mutex, PL_EVENT_LOCK, pc);
        if (!pl_until_valid(until))
            return EINVAL;
        s->waiters |= pl_self_bit();
        enum pl_wake why = pl_block(PL_EVENT_LOCK, mutex, pl_until_deadline(until), pc);
        s = record(mutex, pc); /* objects.h I2 */
        if (why == PL_TIMED_OUT) {
            s->waiters &= ~pl_self_bit();
            return pl_timed_out(mutex, pc);
        }
    }
}

/* Under the explorer: is it known without a step that the running thread holds it? Not of a word
 * that anybody could have made free. */
static bool knows_its_own(const struct pl_sync *s)
{
    return s->owner == pl_self_owner() && (checks(s) || !pl_model_locks_are_words());
}

int pl_mutex_trylock(pthread_mutex_t *mutex, uint64_t pc)
{
    struct pl_sync *s = record(mutex, pc);
    if (s->type == INVALID)
        return EINVAL;
    if (s->flags & NOT_RECOVERABLE)
        return ENOTRECOVERABLE;
    bool free = !s->owner;
    if (pl_unlikely(rt.exploring && !knows_its_own(s))) {
        pl_model_make_locks_words();
        free = explored_take(mutex, PL_AWAIT_NONE, false, pc);
        s = record(mutex, pc);
    }
    if (free)
        return take(s, mutex, PL_EVENT_TRYLOCK, pc);
    if (s->type == PTHREAD_MUTEX_RECURSIVE && s->owner == pl_self_owner()) {
        if (s->count == INT32_MAX)
            return EAGAIN;
        s->count++;
        pl_changed();
        pl_trace(PL_EVENT_TRYLOCK, mutex, 0, pc);
        return 0;
    }
    pl_trace(PL_EVENT_TRYLOCK, mutex, EBUSY, pc);
    return EBUSY;
}

int pl_mutex_unlock(pthread_mutex_t *mutex, uint64_t pc)
{
    struct pl_sync *s = record(mutex, pc);
    if (s->type == INVALID)
        return EINVAL;
    if (checks(s) && s->owner != pl_self_owner())
        return EPERM;
    pl_trace(PL_EVENT_UNLOCK, mutex, 0, pc);
    pl_changed();
    if (s->type == PTHREAD_MUTEX_RECURSIVE && --s->count > 0)
        return 0;
    if (pl_unlikely(rt.exploring))
        explored_unlock(s, mutex, pc);
    s->owner = 0;
    s->count = 0;
    mutex->__data.__lock = 0;
    if (s->flags & INCONSISTENT)
        s->flags = ROBUST | NOT_RECOVERABLE;
    if (pl_likely(!rt.exploring))
        pl_release_to(s->release);
    pl_release_waiters(&s->waiters);
    return 0;
}

void pl_mutex_thread_ends(void)
{
    if (robust_generation != rt.generation)
        return;
    for (uint32_t i = 0; i < robust_count; i++) {
        struct pl_sync *s = pl_sync_find(PL_SYNC_MUTEX, robust[i]);
        if (!s || !(s->flags & ROBUST) || s->owner != pl_self_owner())
            continue;
        s->owner = 0;
        s->count = 0;
        robust[i]->__data.__lock = 0;
        s->flags = ROBUST | OWNER_DEAD;
        pl_release_to(s->release);
        pl_changed();
        pl_release_waiters(&s->waiters);
    }
}

int pl_mutex_init(pthread_mutex_t *mutex, int kind, uint64_t pc)
{
    if (rt.active) {
        pl_writes(mutex, sizeof *mutex, pc);
        struct pl_sync *old = pl_sync_find(PL_SYNC_MUTEX, mutex);
        if (old)
            pl_sync_drop(old);
    }
    memset(mutex, 0, sizeof *mutex);
    mutex->__data.__kind = kind;
    if (rt.active)
        record(mutex, pc);
    return 0;
}

int pl_mutex_destroy(pthread_mutex_t *mutex, uint64_t pc)
{
    if (rt.active) {
        struct pl_sync *s = record(mutex, pc);
        if (s->owner)
            return EBUSY;
        pl_changed();
        pl_sync_drop(s);
    }
    mutex->__data.__kind = -1;
    return 0;
}

/* ---- what the subject calls ---- */

PL_EXPORT int pthread_mutex_init(pthread_mutex_t *mutex, const pthread_mutexattr_t *attr)
{
    uint64_t pc = PL_CALLER;
    int kind = PTHREAD_MUTEX_DEFAULT, robustness = 0, protocol = 0, shared = 0;
    if (attr) {
        pthread_mutexattr_gettype(attr, &kind);
        pthread_mutexattr_getrobust(attr, &robustness);
        pthread_mutexattr_getprotocol(attr, &protocol);
        pthread_mutexattr_getpshared(attr, &shared);
        kind &= KIND_TYPE;
        if (robustness == PTHREAD_MUTEX_ROBUST)
            kind |= KIND_ROBUST;
        if (protocol == PTHREAD_PRIO_INHERIT)
            kind |= KIND_INHERIT;
        if (protocol == PTHREAD_PRIO_PROTECT)
            kind |= KIND_PROTECT;
        if (shared == PTHREAD_PROCESS_SHARED)
            kind |= KIND_SHARED;
    }
    if (rt.active)
        pl_point(pc);
    return pl_mutex_init(mutex, kind, pc);
}

PL_EXPORT int pthread_mutex_destroy(pthread_mutex_t *mutex)
{
    uint64_t pc = PL_CALLER;
    if (rt.active)
        pl_point(pc);
    return pl_mutex_destroy(mutex, pc);
}

PL_EXPORT int pthread_mutex_lock(pthread_mutex_t *mutex)
{
    uint64_t pc = PL_CALLER;
    if (!rt.active)
        return 0;
    pl_point(pc);
    return pl_mutex_lock(mutex, PL_FOR_EVER, pc);
}

PL_EXPORT int pthread_mutex_trylock(pthread_mutex_t *mutex)
{
    uint64_t pc = PL_CALLER;
    if (!rt.active)
        return 0;
    pl_point(pc);
    return pl_mutex_trylock(mutex, pc);
}

PL_EXPORT int pthread_mutex_unlock(pthread_mutex_t *mutex)
{
    uint64_t pc = PL_CALLER;
    if (!rt.active)
        return 0;
    pl_point(pc);
    return pl_mutex_unlock(mutex, pc);
}

PL_EXPORT int pthread_mutex_timedlock(pthread_mutex_t *mutex, const struct timespec *time)
{
    uint64_t pc = PL_CALLER;
    if (!rt.active)
        return 0;
    pl_reads(time, sizeof *time, pc);
    pl_point(pc);
    return pl_mutex_lock(mutex, (struct pl_until){time, CLOCK_REALTIME}, pc);
}

PL_EXPORT int pthread_mutex_clocklock(pthread_mutex_t *mutex, clockid_t clock,
                                      const struct timespec *time)
{
    uint64_t pc = PL_CALLER;
    if (!pl_clock_valid(clock))
        return EINVAL;
    if (!rt.active)
        return 0;
    pl_reads(time, sizeof *time, pc);
    pl_point(pc);
    return pl_mutex_lock(mutex, (struct pl_until){time, clock}, pc);
}

PL_EXPORT int pthread_mutex_consistent(pthread_mutex_t *mutex)
{
    uint64_t pc = PL_CALLER;
    if (!rt.active)
        return EINVAL;
    pl_point(pc);
    struct pl_sync *s = record(mutex, pc);
    if (!(s->flags & INCONSISTENT) || s->owner != pl_self_owner())
        return EINVAL;
    s->flags = ROBUST;
    pl_changed();
    return 0;
}

/* Priorities do not exist here: only the error that every other mutex gives. */
PL_EXPORT int pthread_mutex_getprioceiling(const pthread_mutex_t *mutex, int *ceiling)
{
    if (mutex->__data.__kind < 0 || !(mutex->__data.__kind & KIND_PROTECT))
        return EINVAL;
    *ceiling = 1;
    return 0;
}

PL_EXPORT int pthread_mutex_setprioceiling(pthread_mutex_t *mutex, int ceiling, int *old)
{
    if (mutex->__data.__kind < 0 || !(mutex->__data.__kind & KIND_PROTECT) || ceiling < 1)
        return EINVAL;
    *old = 1;
    return 0;
}
