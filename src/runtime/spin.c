/*
 * Spinlocks: as mutexes, without kinds. A thread that spins is blocked, not running:
 * the deadlock of a spinlock is seen as one.
 *
 *   memory: 1 when free, 0 when held, as glibc has it on x86-64
 *   record: owner   1 + thread that holds it, for reports
 *
 * The memory is the truth: a spinlock that is zero because nobody initialised it
 * spins for ever with glibc, and blocks here.
 */
#include <errno.h>

#include "runtime/objects.h"

enum { HELD, FREE };

/* The address: what the lock is to everybody but the C type. */
static const void *place(const pthread_spinlock_t *lock)
{
    return (const void *)(uintptr_t)lock;
}

static struct pl_sync *record(pthread_spinlock_t *lock, uint64_t pc)
{
    bool fresh;
    struct pl_sync *s = pl_sync_object(PL_SYNC_SPIN, place(lock), pc, &fresh);
    if (fresh)
        pl_first_use(place(lock), pc);
    if (*lock == FREE)
        s->owner = 0;
    return s;
}

static void take(struct pl_sync *s, pthread_spinlock_t *lock, enum pl_event_kind event, uint64_t pc)
{
    s->owner = pl_self_owner();
    *lock = HELD;
    pl_acquire(s->release);
    pl_changed();
    pl_trace(event, place(lock), 0, pc);
}

PL_EXPORT int pthread_spin_init(pthread_spinlock_t *lock, int shared)
{
    uint64_t pc = PL_CALLER;
    (void)shared;
    if (rt.active) {
        pl_point(pc);
        pl_writes(place(lock), sizeof *lock, pc);
        struct pl_sync *old = pl_sync_find(PL_SYNC_SPIN, place(lock));
        if (old)
            pl_sync_drop(old);
    }
    *lock = FREE;
    if (rt.active)
        record(lock, pc);
    return 0;
}

PL_EXPORT int pthread_spin_destroy(pthread_spinlock_t *lock)
{
    uint64_t pc = PL_CALLER;
    if (!rt.active)
        return 0;
    pl_point(pc);
    struct pl_sync *s = record(lock, pc);
    if (*lock != FREE)
        return EBUSY;
    pl_changed();
    pl_sync_drop(s);
    return 0;
}

PL_EXPORT int pthread_spin_lock(pthread_spinlock_t *lock)
{
    uint64_t pc = PL_CALLER;
    if (!rt.active)
        return 0;
    pl_point(pc);
    struct pl_sync *s = record(lock, pc);
    while (*lock != FREE) {
        s->waiters |= pl_self_bit();
        pl_block(PL_EVENT_LOCK, place(lock), 0, pc);
        s = record(lock, pc);
    }
    take(s, lock, PL_EVENT_LOCK, pc);
    return 0;
}

PL_EXPORT int pthread_spin_trylock(pthread_spinlock_t *lock)
{
    uint64_t pc = PL_CALLER;
    if (!rt.active)
        return 0;
    pl_point(pc);
    struct pl_sync *s = record(lock, pc);
    if (*lock != FREE) {
        pl_trace(PL_EVENT_TRYLOCK, place(lock), EBUSY, pc);
        return EBUSY;
    }
    take(s, lock, PL_EVENT_TRYLOCK, pc);
    return 0;
}

PL_EXPORT int pthread_spin_unlock(pthread_spinlock_t *lock)
{
    uint64_t pc = PL_CALLER;
    if (!rt.active) {
        *lock = FREE;
        return 0;
    }
    pl_point(pc);
    struct pl_sync *s = record(lock, pc);
    s->owner = 0;
    *lock = FREE;
    pl_trace(PL_EVENT_UNLOCK, place(lock), 0, pc);
    pl_changed();
    pl_release_to(s->release);
    pl_release_waiters(&s->waiters);
    return 0;
}
