/*
 * The manual reset event (Line-Up's Table 1). One word has the event's bit, the number of threads
 * that wait, and how often waiting threads were let go:
 *
 *     round | waiters (7 bits) | is set
 *
 * Who waits enters the round in the same step in which it sees that the event is not set; a set
 * takes all of that round along in the step that sets the bit, and lets them go behind the lock.
 * A second way to wait, wait_one, goes through a handle that is made when it is first asked for,
 * as a handle of the system would be.
 *
 * wrong/lineup_reset_event.c has root cause A.
 */
#include <plumb.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdlib.h>

enum { IS_SET = 1, WAITER = 2, WAITERS = 0xfe, ROUND = 0x100 };

/* What the new state is computed from: the value that is compared. */
#ifndef STATE_AGAIN
#define STATE_AGAIN(old) (old)
#endif

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t let_go = PTHREAD_COND_INITIALIZER;
static _Atomic(pthread_cond_t *) handle;
static int rounds_gone; /* behind the lock */
static _Atomic int state;

static bool is_set(void)
{
    return state & IS_SET;
}

static void round_end(int round)
{
    pthread_mutex_lock(&lock);
    if (rounds_gone <= round)
        rounds_gone = round + 1;
    pthread_cond_broadcast(&let_go);
    pthread_mutex_unlock(&lock);
}

static void handle_open(void)
{
    pthread_mutex_lock(&lock);
    pthread_cond_broadcast(handle);
    pthread_mutex_unlock(&lock);
}

static void set(void)
{
    int old = state, new;
    do {
        if (old & IS_SET)
            return;
        new = old &WAITERS ? (old & ~WAITERS) + ROUND : old;
    } while (!atomic_compare_exchange_strong(&state, &old, new | IS_SET));
    if (old & WAITERS)
        round_end(old / ROUND);
    if (handle)
        handle_open();
}

static void reset(void)
{
    atomic_fetch_and(&state, ~IS_SET);
}

static void wait(void)
{
    int old = state;
    do {
        if (old & IS_SET)
            return;
    } while (!atomic_compare_exchange_strong(&state, &old, STATE_AGAIN(old) + WAITER));
    pthread_mutex_lock(&lock);
    while (rounds_gone <= old / ROUND)
        pthread_cond_wait(&let_go, &lock);
    pthread_mutex_unlock(&lock);
}

static void wait_one(void)
{
    pthread_mutex_lock(&lock);
    if (!handle) {
        pthread_cond_t *made = malloc(sizeof *made);
        pthread_cond_init(made, NULL);
        handle = made;
    }
    while (!is_set())
        pthread_cond_wait(handle, &lock);
    pthread_mutex_unlock(&lock);
}

#ifndef INCLUDED
PLUMB_CALL(set())
PLUMB_CALL(wait())
PLUMB_CALL(reset())
PLUMB_CALL(is_set())
PLUMB_CALL(wait_one())
#endif
