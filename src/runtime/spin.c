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

#include "runtime/model.h"
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
    if (!rt.exploring)
        pl_acquire(s->release);
    pl_changed();
    pl_trace(event, place(lock), 0, pc);
}

/* Under the explorer: a word that starts as memory says. */
static bool explored_take(const pthread_spinlock_t *lock, enum pl_await await, uint64_t pc)
{
    struct pl_model_step step = {.object = place(lock),
                                 .op = PL_OP_CAS,
                                 .expected = FREE,
                                 .operand = HELD,
                                 .initial = (uint64_t)*lock,
                                 .order = PL_ORDER_ACQUIRE,
                                 .await = await,
                                 .in = PL_EVENT_LOCK};
    bool ok;
    (void)pl_model_object_update(&step, &ok, pc);
    return ok;
}

static void explored_free(const pthread_spinlock_t *lock, enum pl_memory_order order, uint64_t pc)
{
    struct pl_model_step step = {
        .object = place(lock), .operand = FREE, .initial = (uint64_t)*lock, .order = order};
    pl_model_object_write(&step, pc);
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
        if (rt.exploring)
            explored_free(lock, PL_ORDER_RELAXED, pc);
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
    if (rt.exploring) {
        (void)explored_take(lock, PL_AWAIT_WRITE, pc);
        s = record(lock, pc);
    }
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
    bool free = rt.exploring ? explored_take(lock, PL_AWAIT_NONE, pc) : *lock == FREE;
    if (!free) {
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
    if (rt.exploring)
        explored_free(lock, PL_ORDER_RELEASE, pc);
    s->owner = 0;
    *lock = FREE;
    pl_trace(PL_EVENT_UNLOCK, place(lock), 0, pc);
    pl_changed();
    if (!rt.exploring)
        pl_release_to(s->release);
    pl_release_waiters(&s->waiters);
    return 0;
}
