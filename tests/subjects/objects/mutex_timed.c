/* timedlock and clocklock: a free mutex is taken whatever the deadline; a held one times out;
 * the deadline is judged only when it is needed. */
#define _GNU_SOURCE
#include "../help.h"
#include <stdatomic.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static atomic_int released;

static void *times_out(void *unused)
{
    struct timespec late = in_ms(CLOCK_REALTIME, -1000);
    assert(pthread_mutex_timedlock(&mutex, &late) == ETIMEDOUT);
    assert(pthread_mutex_clocklock(&mutex, CLOCK_REALTIME, &late) == ETIMEDOUT);
    late = in_ms(CLOCK_MONOTONIC, -1);
    assert(pthread_mutex_clocklock(&mutex, CLOCK_MONOTONIC, &late) == ETIMEDOUT);
    struct timespec soon = in_ms(CLOCK_REALTIME, 2);
    assert(pthread_mutex_timedlock(&mutex, &soon) == ETIMEDOUT);
    soon.tv_nsec = 1000000000;
    assert(pthread_mutex_timedlock(&mutex, &soon) == EINVAL);
    soon.tv_nsec = -1;
    assert(pthread_mutex_timedlock(&mutex, &soon) == EINVAL);
    assert(pthread_mutex_trylock(&mutex) == EBUSY);
    return unused;
}

static void *either(void *unused)
{
    struct timespec later = in_ms(CLOCK_REALTIME, 20000);
    int error = pthread_mutex_timedlock(&mutex, &later);
    assert(error == 0 || error == ETIMEDOUT);
    if (error == 0) {
        assert(atomic_load(&released) == 1);
        assert(pthread_mutex_unlock(&mutex) == 0);
    }
    return unused;
}

int main(void)
{
    struct timespec late = in_ms(CLOCK_REALTIME, -1000);
    assert(pthread_mutex_timedlock(&mutex, &late) == 0);
    assert(pthread_mutex_unlock(&mutex) == 0);
    late = in_ms(CLOCK_MONOTONIC, -1000);
    assert(pthread_mutex_clocklock(&mutex, CLOCK_MONOTONIC, &late) == 0);
    assert(pthread_mutex_unlock(&mutex) == 0);
    /* Only the real-time and the monotonic clock can be waited on. */
    assert(pthread_mutex_clocklock(&mutex, CLOCK_PROCESS_CPUTIME_ID, &late) == EINVAL);

    assert(pthread_mutex_lock(&mutex) == 0);
    /* The owner of a normal mutex that waits for itself can be saved by the deadline only. */
    late = in_ms(CLOCK_REALTIME, 2);
    assert(pthread_mutex_timedlock(&mutex, &late) == ETIMEDOUT);
    elsewhere(times_out, NULL);
    pthread_t a = start(either, NULL);
    pthread_t b = start(either, NULL);
    atomic_store(&released, 1);
    assert(pthread_mutex_unlock(&mutex) == 0);
    finish(a);
    finish(b);
    assert(pthread_mutex_destroy(&mutex) == 0);
    return 0;
}
