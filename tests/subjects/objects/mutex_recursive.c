/* A recursive mutex is free again after as many unlocks as locks; only the owner may unlock. */
#define _GNU_SOURCE
#include "../help.h"

static pthread_mutex_t fixed = PTHREAD_RECURSIVE_MUTEX_INITIALIZER_NP;
static pthread_mutex_t mutex;
static int shared; /* under mutex */

static void *sees_busy(void *m)
{
    assert(pthread_mutex_trylock(m) == EBUSY);
    assert(pthread_mutex_unlock(m) == EPERM);
    return NULL;
}

static void *sees_free(void *m)
{
    assert(pthread_mutex_trylock(m) == 0);
    assert(pthread_mutex_unlock(m) == 0);
    assert(pthread_mutex_unlock(m) == EPERM);
    return NULL;
}

static void nested(int depth)
{
    assert(pthread_mutex_lock(&mutex) == 0);
    shared++;
    if (depth > 0)
        nested(depth - 1);
    assert(pthread_mutex_unlock(&mutex) == 0);
}

static void *nest(void *unused)
{
    nested(3);
    return unused;
}

static void depths(pthread_mutex_t *m)
{
    elsewhere(sees_free, m);
    assert(pthread_mutex_lock(m) == 0);
    assert(pthread_mutex_lock(m) == 0);
    assert(pthread_mutex_trylock(m) == 0);
    struct timespec late = in_ms(CLOCK_REALTIME, -1000);
    assert(pthread_mutex_timedlock(m, &late) == 0);
    for (int i = 0; i < 4; i++) {
        elsewhere(sees_busy, m);
        assert(pthread_mutex_unlock(m) == 0);
    }
    elsewhere(sees_free, m);
    assert(pthread_mutex_unlock(m) == EPERM);
}

int main(void)
{
    pthread_mutexattr_t attr;
    assert(pthread_mutexattr_init(&attr) == 0);
    assert(pthread_mutexattr_settype(&attr, PTHREAD_MUTEX_RECURSIVE) == 0);
    assert(pthread_mutex_init(&mutex, &attr) == 0);
    assert(pthread_mutexattr_destroy(&attr) == 0);

    depths(&mutex);
    depths(&fixed);

    pthread_t threads[3];
    for (size_t i = 0; i < COUNT(threads); i++)
        threads[i] = start(nest, NULL);
    for (size_t i = 0; i < COUNT(threads); i++)
        finish(threads[i]);
    assert(shared == 12);
    assert(pthread_mutex_destroy(&mutex) == 0);
    return 0;
}
