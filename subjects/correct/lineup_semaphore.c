/*
 * The semaphore (Line-Up's Table 1): a count behind a lock. A wait first looks at the count
 * without the lock, which may save it the lock when there is nothing to have and it may not wait;
 * that second reading is what a check of conflict serializability complains about (section 5.6).
 * release answers what the count was.
 */
#include <plumb.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t released = PTHREAD_COND_INITIALIZER;
static _Atomic int count; /* changed behind the lock only */
static int waiters;

static int current_count(void)
{
    return count;
}

static int release(int n)
{
    pthread_mutex_lock(&lock);
    int before = count;
    count = before + n;
    for (int woken = 0; woken < waiters && woken < n; woken++)
        pthread_cond_signal(&released);
    pthread_mutex_unlock(&lock);
    return before;
}

/* Takes one; if there is none, waits for one or answers false. */
static bool take(bool may_wait)
{
    if (!may_wait && count == 0)
        return false;
    pthread_mutex_lock(&lock);
    while (may_wait && count == 0) {
        waiters++;
        pthread_cond_wait(&released, &lock);
        waiters--;
    }
    bool got = count > 0;
    if (got)
        count = count - 1;
    pthread_mutex_unlock(&lock);
    return got;
}

static void wait(void)
{
    take(true);
}

static bool try_wait(void)
{
    return take(false);
}

PLUMB_CALL(current_count())
PLUMB_CALL(release(1))
PLUMB_CALL(release(2))
PLUMB_CALL(wait())
PLUMB_CALL(try_wait())
