/*
 * The blocking collection (Line-Up's Table 1): a queue and a semaphore that counts its items. A
 * take waits for an item, until adding is completed or the waiting is cancelled. The adders under
 * way are counted in one word with the mark that no more may come; complete_adding waits until
 * they have left, so whoever sees the mark and no adder knows that nothing will be added.
 *
 * Taking, here, includes the queue's dequeue, and adding its enqueue: a count, an array and a take
 * that finds nothing are then of one moment. The classes of the paper are faster than that, and
 * wrong/lineup_blocking_collection.c and _pre.c show how: they set the four switches below.
 *
 * An add answers 1, a take the item; 0 is "nothing", THROWS an error as .NET throws it.
 */
#include <plumb.h>
#include <pthread.h>
#include <time.h>

#define INCLUDED
#define count    queue_count
#define to_array queue_to_array
#include "lineup_queue.c"
#undef count
#undef to_array

#ifndef COMPLETE_WAITS
#define COMPLETE_WAITS 1 /* 0: root cause D */
#endif
#ifndef COUNT_LOCKS
#define COUNT_LOCKS 1 /* 0: H */
#endif
#ifndef ADD_IS_ONE_STEP
#define ADD_IS_ONE_STEP 1 /* 0: I */
#endif
#ifndef CANCEL_WAITS
#define CANCEL_WAITS 1 /* 0: K */
#endif

enum { THROWS = -1, CANCELLED = -2, COMPLETE = 0x100 };
enum patience { NEVER, A_WHILE, FOR_EVER };

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t changed = PTHREAD_COND_INITIALIZER;
static _Atomic int released, acquired; /* of the semaphore: changed behind the lock */
static _Atomic int adders;             /* and COMPLETE */
static _Atomic bool cancel_begun, cancelled;

static bool is_adding_completed(void)
{
    return adders == COMPLETE;
}

static void wake_all(void)
{
    pthread_mutex_lock(&lock);
    pthread_cond_broadcast(&changed);
    pthread_mutex_unlock(&lock);
}

/* ---- adding ---- */

static void insert(int item)
{
    if (!ADD_IS_ONE_STEP)
        enqueue(item);
    pthread_mutex_lock(&lock);
    if (ADD_IS_ONE_STEP)
        enqueue(item);
    released++;
    pthread_cond_signal(&changed);
    pthread_mutex_unlock(&lock);
}

static int add(int item)
{
    int old = adders;
    do {
        if (old & COMPLETE) {
            while (adders != COMPLETE)
                continue;
            return THROWS;
        }
    } while (!atomic_compare_exchange_strong(&adders, &old, old + 1));
    insert(item);
    adders--;
    return 1;
}

static int try_add(int item)
{
    return add(item);
}

static int try_add_for(int item, int milliseconds)
{
    (void)milliseconds; /* there is always room */
    return add(item);
}

static void complete_adding(void)
{
    atomic_fetch_or(&adders, COMPLETE);
    while (COMPLETE_WAITS && !is_adding_completed())
        continue;
    wake_all();
}

/* ---- taking ---- */

static void wait_for_change(enum patience *patience)
{
    struct timespec until;
    if (*patience == FOR_EVER) {
        pthread_cond_wait(&changed, &lock);
        return;
    }
    clock_gettime(CLOCK_REALTIME, &until);
    until.tv_sec++;
    if (pthread_cond_timedwait(&changed, &lock, &until) != 0)
        *patience = NEVER;
}

static int take_within(enum patience patience)
{
    pthread_mutex_lock(&lock);
    while (patience != NEVER && released == acquired && !cancelled && !is_adding_completed())
        wait_for_change(&patience);
    int item = 0;
    if (cancelled) {
        item = CANCELLED;
    } else if (released != acquired) {
        acquired++;
        item = try_dequeue();
    }
    pthread_mutex_unlock(&lock);
    return item;
}

static int take(void)
{
    int item = take_within(FOR_EVER);
    return item ? item : THROWS;
}

/* The next item of an enumeration that consumes; 0 at its end. */
static int take_with_enum(void)
{
    return take_within(FOR_EVER);
}

static int try_take(void)
{
    return take_within(NEVER);
}

static int try_take_for(int milliseconds)
{
    (void)milliseconds;
    return take_within(A_WHILE);
}

/* Takes answer CANCELLED from now on. The first caller does it. */
static void cancel(void)
{
    if (atomic_exchange(&cancel_begun, true)) {
        while (CANCEL_WAITS && !cancelled)
            continue;
        return;
    }
    pthread_mutex_lock(&lock);
    cancelled = true;
    pthread_cond_broadcast(&changed);
    pthread_mutex_unlock(&lock);
}

/* ---- looking ---- */

static int count(void)
{
    if (COUNT_LOCKS)
        pthread_mutex_lock(&lock);
    int came = released, n = came - acquired;
    if (COUNT_LOCKS)
        pthread_mutex_unlock(&lock);
    return n > 0 ? n : 0;
}

static bool is_completed(void)
{
    return is_adding_completed() && count() == 0;
}

static unsigned long to_array(void)
{
    pthread_mutex_lock(&lock);
    unsigned long digits = released == acquired ? 0 : queue_to_array();
    pthread_mutex_unlock(&lock);
    return digits;
}

PLUMB_SETUP(queue_init())
PLUMB_CALL(count())
PLUMB_CALL(to_array())
PLUMB_CALL(try_add(1))
PLUMB_CALL(try_add_for(2, 1))
PLUMB_CALL(is_completed())
PLUMB_CALL(is_adding_completed())
PLUMB_CALL(complete_adding())
PLUMB_CALL(add(3))
PLUMB_CALL(take())
PLUMB_CALL(take_with_enum())
PLUMB_CALL(try_take())
PLUMB_CALL(try_take_for(1))
PLUMB_CALL(cancel())
