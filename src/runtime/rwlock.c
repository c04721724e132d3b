/*
 * Read-write locks.
 *
 *   record: owner    1 + the writer, 0 = none
 *           count    read locks held (a thread may hold several)
 *           mask64   writers that want it, blocked or about to look again; under the explorer,
 *                    threads that took it to write and have not unlocked it since
 *           release  clock of the last writer;  read: clocks of the readers since
 *   memory: __flags  the kind: who comes first
 *
 * Readers synchronise with writers and not with each other, hence two clocks. A
 * reader gets in while a writer waits, as glibc's default kind lets it, unless the
 * kind is PTHREAD_RWLOCK_PREFER_WRITER_NONRECURSIVE_NP.
 *
 * Invariant:
 * I1  __cur_writer and __readers in the memory are owner and count. If they are zero
 *     while it is held, it has been initialised anew: another lock.
 */
#include <errno.h>
#include <string.h>

#include "runtime/model.h"
#include "runtime/objects.h"

static struct pl_sync *record(pthread_rwlock_t *lock, uint64_t pc)
{
    bool fresh;
    struct pl_sync *s = pl_sync_object(PL_SYNC_RWLOCK, lock, pc, &fresh);
    bool held = s->owner || s->count, said = lock->__data.__cur_writer || lock->__data.__readers;
    if (pl_unlikely(held && !said)) { /* I1 */
        pl_sync_drop(s);
        s = pl_sync_object(PL_SYNC_RWLOCK, lock, pc, &fresh);
    }
    if (fresh)
        pl_first_use(&lock->__data.__flags, pc);
    return s;
}

static void show(const struct pl_sync *s, pthread_rwlock_t *lock) /* I1 */
{
    lock->__data.__cur_writer = s->owner;
    lock->__data.__readers = (unsigned)s->count;
}

static bool reader_must_wait(const struct pl_sync *s, const pthread_rwlock_t *lock)
{
    bool writers_first = lock->__data.__flags == PTHREAD_RWLOCK_PREFER_WRITER_NONRECURSIVE_NP;
    return s->owner || (s->mask64 && writers_first);
}

static void take_read(struct pl_sync *s, pthread_rwlock_t *lock, uint64_t pc)
{
    s->count++;
    show(s, lock);
    if (!rt.exploring)
        pl_acquire(s->release);
    pl_changed();
    pl_trace(PL_EVENT_RDLOCK, lock, 0, pc);
}

static void take_write(struct pl_sync *s, pthread_rwlock_t *lock, uint64_t pc)
{
    s->owner = pl_self_owner();
    show(s, lock);
    if (rt.exploring) {
        s->mask64 |= pl_self_bit();
    } else {
        s->mask64 &= ~pl_self_bit();
        pl_acquire(s->release);
        pl_acquire(PL_SYNC_READ(s));
    }
    pl_changed();
    pl_trace(PL_EVENT_WRLOCK, lock, 0, pc);
}

/* ---- under the explorer: a word, the number of readers or WRITER ---- */

#define WRITER (~UINT64_C(0))

static bool explored_take(pthread_rwlock_t *lock, bool write, enum pl_await await, bool timed,
                          uint64_t pc)
{
    if (lock->__data.__flags == PTHREAD_RWLOCK_PREFER_WRITER_NONRECURSIVE_NP)
        pl_unsupported(
            "read-write locks that prefer writers are not explored; plumb run takes them", pc);
    struct pl_model_step step = {.object = lock,
                                 .op = write ? PL_OP_CAS : PL_OP_SHARE,
                                 .operand = WRITER,
                                 .expected = write ? 0 : WRITER,
                                 .order = PL_ORDER_ACQUIRE,
                                 .await = await,
                                 .in = write ? PL_EVENT_WRLOCK : PL_EVENT_RDLOCK,
                                 .timed = timed};
    bool ok;
    (void)pl_model_object_update(&step, &ok, pc);
    return ok;
}

static int explored_lock(pthread_rwlock_t *lock, bool write, struct pl_until until, uint64_t pc)
{
    bool taken = until.time && explored_take(lock, write, PL_AWAIT_NONE, false, pc);
    if (!taken && !pl_until_valid(until))
        return EINVAL;
    if (!taken && until.time && pl_model_choose(2, pc) == 1)
        return pl_timed_out(lock, pc);
    if (!taken)
        (void)explored_take(lock, write, PL_AWAIT_WRITE, until.time != NULL, pc);
    if (write)
        take_write(record(lock, pc), lock, pc);
    else
        take_read(record(lock, pc), lock, pc);
    return 0;
}

/* Whose it is, the word says and not the record: anybody may unlock it, and then the record is that
 * of one order in which the graph came about. */
static void explored_unlock(struct pl_sync *s, pthread_rwlock_t *lock, uint64_t pc)
{
    s->mask64 &= ~pl_self_bit();
    struct pl_model_step step = {
        .object = lock, .op = PL_OP_LEAVE, .expected = WRITER, .order = PL_ORDER_RELEASE};
    (void)pl_model_object_update(&step, NULL, pc);
}

/* Does the running thread hold it to write? */
static bool is_writer(const struct pl_sync *s, const pthread_rwlock_t *lock, uint64_t pc)
{
    if (!rt.exploring)
        return s->owner == pl_self_owner();
    struct pl_model_step step = {.object = lock, .order = PL_ORDER_RELAXED};
    return s->mask64 & pl_self_bit() && pl_model_object_read(&step, pc) == WRITER;
}

static int read_lock(pthread_rwlock_t *lock, struct pl_until until, uint64_t pc)
{
    if (!rt.active)
        return 0;
    pl_reads(until.time, sizeof *until.time, pc);
    pl_point(pc);
    struct pl_sync *s = record(lock, pc);
    if (is_writer(s, lock, pc))
        return EDEADLK;
    if (rt.exploring)
        return explored_lock(lock, false, until, pc);
    while (reader_must_wait(s, lock)) {
        if (!pl_until_valid(until))
            return EINVAL;
        s->waiters |= pl_self_bit();
        enum pl_wake why = pl_block(PL_EVENT_RDLOCK, lock, pl_until_deadline(until), pc);
        s = record(lock, pc);
        if (why == PL_TIMED_OUT) {
            s->waiters &= ~pl_self_bit();
            return pl_timed_out(lock, pc);
        }
    }
    take_read(s, lock, pc);
    return 0;
}

static int write_lock(pthread_rwlock_t *lock, struct pl_until until, uint64_t pc)
{
    if (!rt.active)
        return 0;
    pl_reads(until.time, sizeof *until.time, pc);
    pl_point(pc);
    struct pl_sync *s = record(lock, pc);
    if (is_writer(s, lock, pc))
        return EDEADLK;
    if (rt.exploring)
        return explored_lock(lock, true, until, pc);
    while (s->owner || s->count) {
        if (!pl_until_valid(until))
            return EINVAL;
        s->waiters |= pl_self_bit();
        s->mask64 |= pl_self_bit();
        enum pl_wake why = pl_block(PL_EVENT_WRLOCK, lock, pl_until_deadline(until), pc);
        s = record(lock, pc);
        if (why == PL_TIMED_OUT) {
            s->waiters &= ~pl_self_bit();
            s->mask64 &= ~pl_self_bit();
            pl_release_waiters(&s->waiters); /* readers that waited for this writer */
            return pl_timed_out(lock, pc);
        }
    }
    take_write(s, lock, pc);
    return 0;
}

/* ---- what the subject calls ---- */

PL_EXPORT int pthread_rwlock_init(pthread_rwlock_t *lock, const pthread_rwlockattr_t *attr)
{
    uint64_t pc = PL_CALLER;
    int kind = PTHREAD_RWLOCK_DEFAULT_NP, shared = PTHREAD_PROCESS_PRIVATE;
    if (attr) {
        pthread_rwlockattr_getkind_np(attr, &kind);
        pthread_rwlockattr_getpshared(attr, &shared);
    }
    if (rt.active) {
        pl_point(pc);
        pl_writes(lock, sizeof *lock, pc);
        struct pl_sync *old = pl_sync_find(PL_SYNC_RWLOCK, lock);
        if (old)
            pl_sync_drop(old);
    }
    memset(lock, 0, sizeof *lock);
    lock->__data.__flags = (unsigned)kind;
    lock->__data.__shared = shared == PTHREAD_PROCESS_SHARED;
    if (rt.active)
        record(lock, pc);
    return 0;
}

PL_EXPORT int pthread_rwlock_destroy(pthread_rwlock_t *lock)
{
    uint64_t pc = PL_CALLER;
    if (!rt.active)
        return 0;
    pl_point(pc);
    struct pl_sync *s = record(lock, pc);
    if (s->owner || s->count)
        return EBUSY;
    pl_changed();
    pl_sync_drop(s);
    return 0;
}

PL_EXPORT int pthread_rwlock_rdlock(pthread_rwlock_t *lock)
{
    uint64_t pc = PL_CALLER;
    return read_lock(lock, PL_FOR_EVER, pc);
}

PL_EXPORT int pthread_rwlock_timedrdlock(pthread_rwlock_t *lock, const struct timespec *time)
{
    uint64_t pc = PL_CALLER;
    return read_lock(lock, (struct pl_until){time, CLOCK_REALTIME}, pc);
}

PL_EXPORT int pthread_rwlock_clockrdlock(pthread_rwlock_t *lock, clockid_t clock,
                                         const struct timespec *time)
{
    uint64_t pc = PL_CALLER;
    if (!pl_clock_valid(clock))
        return EINVAL;
    return read_lock(lock, (struct pl_until){time, clock}, pc);
}

static int try_lock(pthread_rwlock_t *lock, bool write, uint64_t pc)
{
    if (!rt.active)
        return 0;
    pl_point(pc);
    struct pl_sync *s = record(lock, pc);
    bool free = rt.exploring ? explored_take(lock, write, PL_AWAIT_NONE, false, pc)
                : write      ? !s->owner && !s->count
                             : !reader_must_wait(s, lock);
    if (!free) {
        pl_trace(PL_EVENT_TRYLOCK, lock, EBUSY, pc);
        return EBUSY;
    }
    if (write)
        take_write(s, lock, pc);
    else
        take_read(s, lock, pc);
    return 0;
}

PL_EXPORT int pthread_rwlock_tryrdlock(pthread_rwlock_t *lock)
{
    uint64_t pc = PL_CALLER;
    return try_lock(lock, false, pc);
}

PL_EXPORT int pthread_rwlock_wrlock(pthread_rwlock_t *lock)
{
    uint64_t pc = PL_CALLER;
    return write_lock(lock, PL_FOR_EVER, pc);
}

PL_EXPORT int pthread_rwlock_timedwrlock(pthread_rwlock_t *lock, const struct timespec *time)
{
    uint64_t pc = PL_CALLER;
    return write_lock(lock, (struct pl_until){time, CLOCK_REALTIME}, pc);
}

PL_EXPORT int pthread_rwlock_clockwrlock(pthread_rwlock_t *lock, clockid_t clock,
                                         const struct timespec *time)
{
    uint64_t pc = PL_CALLER;
    if (!pl_clock_valid(clock))
        return EINVAL;
    return write_lock(lock, (struct pl_until){time, clock}, pc);
}

PL_EXPORT int pthread_rwlock_trywrlock(pthread_rwlock_t *lock)
{
    uint64_t pc = PL_CALLER;
    return try_lock(lock, true, pc);
}

/* Unlocking what nobody holds is undefined; it has no effect here, as the answer
 * is not looked at anyway. */
PL_EXPORT int pthread_rwlock_unlock(pthread_rwlock_t *lock)
{
    uint64_t pc = PL_CALLER;
    if (!rt.active)
        return 0;
    pl_point(pc);
    struct pl_sync *s = record(lock, pc);
    pl_trace(PL_EVENT_UNLOCK, lock, 0, pc);
    pl_changed();
    if (rt.exploring)
        explored_unlock(s, lock, pc);
    if (s->owner) {
        s->owner = 0;
        show(s, lock);
        if (!rt.exploring)
            pl_release_to(s->release);
        pl_release_waiters(&s->waiters);
    } else if (s->count > 0) {
        s->count--;
        show(s, lock);
        if (!rt.exploring)
            pl_release_join(PL_SYNC_READ(s));
        if (s->count == 0 || s->mask64 == 0)
            pl_release_waiters(&s->waiters);
    }
    return 0;
}
