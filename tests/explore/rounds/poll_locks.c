// A thread takes a lock again and again to see whether something has happened: locks that are
// freed by a store, which overwrites what the round itself has written.
// counts: -DFLAG sc=1 tso=1 rc11=1
// counts: -DVOLATILE sc=1 tso=1 rc11=1
// counts: -DSPIN sc=1 tso=1 rc11=1
// counts: -DMUTEX sc=1 tso=1 rc11=1
// counts: -DSEMAPHORE sc=1 tso=1 rc11=1
// finding: -DRELAXED sc=data-race tso=data-race rc11=data-race
// finding: -DHALF sc=data-race tso=data-race rc11=data-race
// A store of somebody else may come between the two: then the round has changed something.
// finding: -DWRITTEN sc=assertion tso=assertion rc11=assertion
// Or later, by who knows that the poller is done but not what it did: that is not explored.
// unknown: -DLATE
#define _GNU_SOURCE
#include <semaphore.h>
#include <stdbool.h>

#include "rounds.h"

static atomic_int word, go, left;
static volatile int old_word;
#ifdef VOLATILE
static volatile int done, data;
#else
static int done, data;
#endif
static pthread_spinlock_t spin;
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER, other = PTHREAD_MUTEX_INITIALIZER;
static sem_t semaphore;

static void lock(memory_order order)
{
#if defined VOLATILE
    while (__sync_lock_test_and_set(&old_word, 1))
        ;
#elif defined SPIN
    pthread_spin_lock(&spin);
#elif defined MUTEX /* that another is only tried makes all of them words */
    pthread_mutex_lock(&mutex);
#elif defined SEMAPHORE
    sem_wait(&semaphore);
#else
    while (atomic_exchange_explicit(&word, 1, order))
        ;
#endif
    (void)order;
}

static void unlock(memory_order order)
{
#if defined VOLATILE
    old_word = 0;
#elif defined SPIN
    pthread_spin_unlock(&spin);
#elif defined MUTEX
    pthread_mutex_unlock(&mutex);
#elif defined SEMAPHORE
    sem_post(&semaphore);
#else
    atomic_store_explicit(&word, 0, order);
#endif
    (void)order;
}

#if defined RELAXED || defined HALF
/* Who takes the lock after the poller knows nothing of who had it before. */
#define POLLS memory_order_relaxed
#else
#define POLLS memory_order_acquire
#endif
#ifdef RELAXED
#define LEAVES memory_order_relaxed
#else
#define LEAVES memory_order_release
#endif

static void *poll(void *argument)
{
    for (bool seen = false; !seen;) {
        lock(POLLS);
#if defined RELAXED || defined HALF
        seen = atomic_load_explicit(&go, memory_order_relaxed);
#else
        seen = done;
#endif
        unlock(LEAVES);
    }
    atomic_store_explicit(&left, 1, memory_order_relaxed);
    return argument;
}

#ifdef LATE
static void *come_late(void *argument)
{
    if (atomic_load_explicit(&left, memory_order_relaxed))
        atomic_store_explicit(&word, 2, memory_order_relaxed);
    return argument;
}
#endif

static void *finish_it(void *argument)
{
    lock(memory_order_acquire);
    data++;
    done = 1;
    unlock(memory_order_release);
    atomic_fetch_add_explicit(&go, 1, memory_order_relaxed);
    return argument;
}

#ifdef WRITTEN
static atomic_int was;
static void *poll_word(void *argument)
{
    for (int zero = 0; atomic_compare_exchange_strong(&word, &zero, 1);) {
        int seen = atomic_load(&go);
        atomic_store(&word, 0);
        if (seen)
            break;
    }
    return argument;
}

static void *write_word(void *argument)
{
    atomic_store(&word, 2);
    was = atomic_load(&word);
    atomic_store(&go, 1);
    return argument;
}
#endif

int main(void)
{
    pthread_spin_init(&spin, 0);
    sem_init(&semaphore, 0, 1);
#ifdef WRITTEN
    pthread_t a = start(poll_word, 0), b = start(write_word, 1);
    finish(a);
    finish(b);
    assert(was != 0); /* the poller's store overwrote it */
#else
    pthread_t a = start(finish_it, 0), b = start(poll, 1);
#if defined RELAXED || defined HALF
    pthread_t c = start(finish_it, 2);
    finish(c);
#endif
#ifdef LATE
    finish(start(come_late, 2));
#endif
#ifdef MUTEX
    if (!pthread_mutex_trylock(&other))
        pthread_mutex_unlock(&other);
#endif
    finish(a);
    finish(b);
#endif
    (void)poll, (void)finish_it, (void)other, (void)mutex, (void)go, (void)old_word;
    return 0;
}
