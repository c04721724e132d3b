/*
 * What the files of the modelled objects (mutex.c, cond.c, …) share.
 *
 * How an object works here: its state is a record (struct pl_sync) of this
 * execution, found by its address. Its memory in the subject holds only what a
 * static initialiser or an init function puts there (kind, clock, limit) and is
 * read when the record is made, so objects made before main keep their attributes
 * through every reset.
 *
 * Invariants:
 * I1  A function takes pl_point() first; from then to the next pl_block() nobody
 *     else runs, so tests and effects on a record are one step.
 * I2  After a pl_block() the record is looked up again: others may have destroyed
 *     the object, and then a use of it is found.
 * I3  Woken threads compete: an unlock wakes every waiter and each looks again, so
 *     every order of getting the lock is possible.
 * I4  Outside an execution (!rt.active) there is one thread: nothing blocks.
 */
#ifndef PL_RUNTIME_OBJECTS_H
#define PL_RUNTIME_OBJECTS_H

#include <errno.h>
#include <pthread.h>
#include <time.h>

#include "runtime/shadow.h"

/* Until when to wait: an absolute time on a clock; time == NULL is for ever. */
struct pl_until {
    const struct timespec *time;
    clockid_t clock;
};
#define PL_FOR_EVER ((struct pl_until){NULL, CLOCK_REALTIME})

static inline uint64_t pl_self_bit(void)
{
    return UINT64_C(1) << rt.self->id;
}

/* The running thread as an owner: 0 is nobody. */
static inline int32_t pl_self_owner(void)
{
    return (int32_t)rt.self->id + 1;
}

static inline void pl_changed(void)
{
    rt.last_change = rt.steps;
}

/* Everybody who waits in `waiters` may go on; the set is empty afterwards. */
static inline void pl_release_waiters(uint64_t *waiters)
{
    uint64_t set = *waiters;
    *waiters = 0;
    if (set)
        pl_wake_all(set);
}

static inline bool pl_nanoseconds_valid(const struct timespec *time)
{
    return time->tv_nsec >= 0 && time->tv_nsec < 1000000000;
}

/* The clocks glibc can wait on. */
static inline bool pl_clock_valid(clockid_t clock)
{
    return clock == CLOCK_REALTIME || clock == CLOCK_MONOTONIC;
}

/* Is the time fit to wait for? POSIX lets a function that need not block not ask. */
static inline bool pl_until_valid(struct pl_until until)
{
    return !until.time || pl_nanoseconds_valid(until.time);
}

static inline uint64_t pl_until_deadline(struct pl_until until)
{
    return until.time ? pl_deadline(until.clock, until.time) : 0;
}

/* An argument in the subject's memory that the function reads (if there is one) or
 * writes. */
static inline void pl_reads(const void *argument, size_t size, uint64_t pc)
{
    if (argument && pl_from_subject(pc))
        pl_read_range(argument, size, pc);
}

static inline void pl_writes(const void *argument, size_t size, uint64_t pc)
{
    if (pl_from_subject(pc))
        pl_write_range(argument, size, pc);
}

/* The first use of an object reads the four bytes its initialiser wrote: memory that was
 * never initialised, or initialised without being ordered before this, is found. Not an
 * event of its own in the trace. */
static inline void pl_first_use(const void *field, uint64_t pc)
{
    uint64_t address = (uint64_t)field;
    if (pl_from_subject(pc))
        pl_granule_access(pl_cell_of(address), address, (uint8_t)(15u << (address & 7)), false, pc);
}

/* A wait that came to its deadline. */
static inline int pl_timed_out(const void *object, uint64_t pc)
{
    pl_trace(PL_EVENT_TIMEOUT, object, ETIMEDOUT, pc);
    return ETIMEDOUT;
}

/* mutex.c, without the scheduling point: for condition variables and C11. */
int pl_mutex_init(pthread_mutex_t *mutex, int kind, uint64_t pc);
int pl_mutex_destroy(pthread_mutex_t *mutex, uint64_t pc);
int pl_mutex_lock(pthread_mutex_t *mutex, struct pl_until until, uint64_t pc);
int pl_mutex_trylock(pthread_mutex_t *mutex, uint64_t pc);
int pl_mutex_unlock(pthread_mutex_t *mutex, uint64_t pc);
void pl_mutex_thread_ends(void); /* robust mutexes the running thread still holds */

/* cond.c, with the scheduling point */
enum { PL_CLOCK_OF_COND = -1 }; /* of `until`: the clock the condition variable was made with */
int pl_cond_init(pthread_cond_t *cond, clockid_t clock, bool shared, uint64_t pc);
int pl_cond_destroy(pthread_cond_t *cond, uint64_t pc);
int pl_cond_wait(pthread_cond_t *cond, pthread_mutex_t *mutex, struct pl_until until, uint64_t pc);
int pl_cond_signal(pthread_cond_t *cond, uint64_t pc);
int pl_cond_broadcast(pthread_cond_t *cond, uint64_t pc);

/* once.c */
int pl_once(int *control, void (*routine)(void), uint64_t pc);

/* keys.c */
int pl_key_create(unsigned *key, void (*destructor)(void *), uint64_t pc);
int pl_key_delete(unsigned key, uint64_t pc);

#endif
