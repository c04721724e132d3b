/* timedwait and clockwait: time out with the mutex held, refuse bad times, and may be woken. */
#define _GNU_SOURCE
#include "../help.h"

static pthread_mutex_t mutex = PTHREAD_ERRORCHECK_MUTEX_INITIALIZER_NP;
static pthread_cond_t realtime = PTHREAD_COND_INITIALIZER;
static pthread_cond_t monotonic;
static int ready; /* under mutex */

static void must_time_out(pthread_cond_t *cond, clockid_t clock, long ms)
{
    struct timespec deadline = in_ms(clock, ms);
    int error;
    do {
        error = pthread_cond_timedwait(cond, &mutex, &deadline);
        assert(pthread_mutex_lock(&mutex) == EDEADLK);
    } while (error == 0); /* a spurious wake-up */
    assert(error == ETIMEDOUT);
    do {
        error = pthread_cond_clockwait(cond, &mutex, clock, &deadline);
        assert(pthread_mutex_lock(&mutex) == EDEADLK);
    } while (error == 0);
    assert(error == ETIMEDOUT);
}

static void *make_ready(void *cond)
{
    assert(pthread_mutex_lock(&mutex) == 0);
    ready = 1;
    assert(pthread_cond_signal(cond) == 0);
    assert(pthread_mutex_unlock(&mutex) == 0);
    return NULL;
}

static void may_be_woken(pthread_cond_t *cond, clockid_t clock)
{
    ready = 0;
    pthread_t thread = start(make_ready, cond);
    struct timespec deadline = in_ms(clock, 20000);
    int error = 0;
    while (!ready && error == 0)
        error = pthread_cond_timedwait(cond, &mutex, &deadline);
    assert(error == 0 || error == ETIMEDOUT);
    assert(ready || error == ETIMEDOUT);
    assert(pthread_mutex_unlock(&mutex) == 0);
    finish(thread);
    assert(pthread_mutex_lock(&mutex) == 0);
    assert(ready);
}

int main(void)
{
    pthread_condattr_t attr;
    clockid_t clock = -1;
    int shared = -1;
    assert(pthread_condattr_init(&attr) == 0);
    assert(pthread_condattr_getclock(&attr, &clock) == 0 && clock == CLOCK_REALTIME);
    assert(pthread_condattr_setclock(&attr, CLOCK_PROCESS_CPUTIME_ID) == EINVAL);
    assert(pthread_condattr_setclock(&attr, CLOCK_MONOTONIC) == 0);
    assert(pthread_condattr_getclock(&attr, &clock) == 0 && clock == CLOCK_MONOTONIC);
    assert(pthread_condattr_getpshared(&attr, &shared) == 0 && shared == PTHREAD_PROCESS_PRIVATE);
    assert(pthread_cond_init(&monotonic, &attr) == 0);
    assert(pthread_condattr_destroy(&attr) == 0);

    assert(pthread_mutex_lock(&mutex) == 0);
    must_time_out(&realtime, CLOCK_REALTIME, -1000);
    must_time_out(&realtime, CLOCK_REALTIME, 2);
    must_time_out(&monotonic, CLOCK_MONOTONIC, -1);
    must_time_out(&monotonic, CLOCK_MONOTONIC, 2);
    /* A signal nobody waited for is not kept. */
    assert(pthread_cond_signal(&realtime) == 0);
    assert(pthread_cond_broadcast(&realtime) == 0);
    must_time_out(&realtime, CLOCK_REALTIME, 2);

    struct timespec bad = in_ms(CLOCK_REALTIME, 1000);
    bad.tv_nsec = 1000000000;
    assert(pthread_cond_timedwait(&realtime, &mutex, &bad) == EINVAL);
    bad.tv_nsec = -1;
    assert(pthread_cond_timedwait(&realtime, &mutex, &bad) == EINVAL);
    bad.tv_nsec = 0;
    assert(pthread_cond_clockwait(&realtime, &mutex, CLOCK_PROCESS_CPUTIME_ID, &bad) == EINVAL);
    assert(pthread_mutex_lock(&mutex) == EDEADLK); /* still ours */

    may_be_woken(&realtime, CLOCK_REALTIME);
    may_be_woken(&monotonic, CLOCK_MONOTONIC);
    assert(pthread_mutex_unlock(&mutex) == 0);
    assert(pthread_cond_destroy(&realtime) == 0);
    assert(pthread_cond_destroy(&monotonic) == 0);
    return 0;
}
