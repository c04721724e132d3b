/* An error-checking mutex names each misuse instead of blocking or breaking. */
#define _GNU_SOURCE
#include "../help.h"

static pthread_mutex_t fixed = PTHREAD_ERRORCHECK_MUTEX_INITIALIZER_NP;
static pthread_mutex_t made;
static int counter;

static void *sees_held(void *m)
{
    assert(pthread_mutex_trylock(m) == EBUSY);
    assert(pthread_mutex_unlock(m) == EPERM);
    return NULL;
}

static void *count(void *m)
{
    for (int i = 0; i < 2; i++) {
        assert(pthread_mutex_lock(m) == 0);
        assert(pthread_mutex_lock(m) == EDEADLK);
        counter++;
        assert(pthread_mutex_unlock(m) == 0);
        assert(pthread_mutex_unlock(m) == EPERM);
    }
    return NULL;
}

static void misuse(pthread_mutex_t *m)
{
    assert(pthread_mutex_unlock(m) == EPERM);
    assert(pthread_mutex_lock(m) == 0);
    assert(pthread_mutex_lock(m) == EDEADLK);
    assert(pthread_mutex_trylock(m) == EBUSY);
    struct timespec later = in_ms(CLOCK_REALTIME, 10000);
    assert(pthread_mutex_timedlock(m, &later) == EDEADLK);
    later = in_ms(CLOCK_MONOTONIC, 10000);
    assert(pthread_mutex_clocklock(m, CLOCK_MONOTONIC, &later) == EDEADLK);
    elsewhere(sees_held, m);
    assert(pthread_mutex_unlock(m) == 0);
    assert(pthread_mutex_unlock(m) == EPERM);

    pthread_t a = start(count, m);
    pthread_t b = start(count, m);
    finish(a);
    finish(b);
}

int main(void)
{
    pthread_mutexattr_t attr;
    assert(pthread_mutexattr_init(&attr) == 0);
    assert(pthread_mutexattr_settype(&attr, PTHREAD_MUTEX_ERRORCHECK) == 0);
    assert(pthread_mutex_init(&made, &attr) == 0);
    assert(pthread_mutexattr_destroy(&attr) == 0);
    misuse(&made);
    misuse(&fixed);
    assert(counter == 8);
    assert(pthread_mutex_destroy(&made) == 0);
    assert(pthread_mutex_destroy(&fixed) == 0);
    return 0;
}
