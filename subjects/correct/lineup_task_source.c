/*
 * The task completion source (Line-Up's Table 1): a task that is completed by hand, once: with a
 * result, an exception or as cancelled. Who completes it reserves it first, stores what it has to
 * say, and then publishes the state; a second one answers false, or throws, but not before it is
 * completed.
 *
 * wrong/lineup_task_source_pre.c and wrong/lineup_task_source.c have root causes F and G.
 */
#include <plumb.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>

#ifndef STORE_FIRST
#define STORE_FIRST 1 /* 0: root cause F */
#endif
#ifndef LOSER_WAITS
#define LOSER_WAITS 1 /* 0: G */
#endif

enum state { PENDING, RESERVED, RAN, FAULTED, CANCELLED };
enum { THROWS = -1 };

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t completed = PTHREAD_COND_INITIALIZER;
static _Atomic int state, stored; /* stored: the result or the exception */

static void publish(enum state end)
{
    pthread_mutex_lock(&lock);
    state = end;
    pthread_cond_broadcast(&completed);
    pthread_mutex_unlock(&lock);
}

static bool complete(enum state end, int what)
{
    int pending = PENDING;
    if (!atomic_compare_exchange_strong(&state, &pending, RESERVED)) {
        while (LOSER_WAITS && state == RESERVED)
            continue;
        return false;
    }
    if (STORE_FIRST)
        stored = what;
    publish(end);
    if (!STORE_FIRST)
        stored = what;
    return true;
}

static bool try_set_result(int result)
{
    return complete(RAN, result);
}

static bool try_set_exception(void)
{
    return complete(FAULTED, 13);
}

static bool try_set_cancelled(void)
{
    return complete(CANCELLED, 0);
}

static int set_result(int result)
{
    return complete(RAN, result) ? 0 : THROWS;
}

static int set_exception(void)
{
    return complete(FAULTED, 13) ? 0 : THROWS;
}

static int set_cancelled(void)
{
    return complete(CANCELLED, 0) ? 0 : THROWS;
}

/* Waits until it is completed; how it ended is thrown, so here answered. */
static int wait(void)
{
    pthread_mutex_lock(&lock);
    while (state < RAN)
        pthread_cond_wait(&completed, &lock);
    int end = state;
    pthread_mutex_unlock(&lock);
    return end;
}

static int exception(void)
{
    return state == FAULTED ? stored : 0;
}

static int try_result(void)
{
    return state == RAN ? stored : 0;
}

PLUMB_CALL(exception())
PLUMB_CALL(try_set_cancelled())
PLUMB_CALL(try_set_exception())
PLUMB_CALL(try_set_result(1))
PLUMB_CALL(set_cancelled())
PLUMB_CALL(set_exception())
PLUMB_CALL(set_result(2))
PLUMB_CALL(wait())
PLUMB_CALL(try_result())
