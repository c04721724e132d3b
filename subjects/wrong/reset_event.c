/*
 * The manual reset event of Line-Up's Figure 9 (root cause A): the exchange that registers a
 * waiter computes the new state from a second load. If a set comes between the two loads and a
 * reset after them, the state says "set" with a waiter, and the next set wakes nobody.
 */
#include <pthread.h>
#include <stdatomic.h>

#ifndef SECOND_LOAD
#define SECOND_LOAD(old) atomic_load(&state)
#endif

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t changed = PTHREAD_COND_INITIALIZER;
static _Atomic int state; /* 1: set; 2 more for each that waits */

static void set(void)
{
    int old = atomic_fetch_or(&state, 1);
    if ((old & 1) || old < 2)
        return;
    pthread_mutex_lock(&lock);
    atomic_store(&state, 1);
    pthread_cond_broadcast(&changed);
    pthread_mutex_unlock(&lock);
}

static void reset(void)
{
    atomic_fetch_and(&state, ~1);
}

static void wait(void)
{
    int old = atomic_load(&state);
    do {
        if (old & 1)
            return;
    } while (!atomic_compare_exchange_strong(&state, &old, SECOND_LOAD(old) + 2));
    pthread_mutex_lock(&lock);
    while (atomic_load(&state) >= 2)
        pthread_cond_wait(&changed, &lock);
    pthread_mutex_unlock(&lock);
}
