/* The timed forms of the read-write lock, and its attributes. */
#define _GNU_SOURCE
#include "../help.h"

static pthread_rwlock_t lock;

static void *all_time_out(void *unused)
{
    struct timespec late = in_ms(CLOCK_REALTIME, -1000), soon = in_ms(CLOCK_MONOTONIC, 2);
    assert(pthread_rwlock_timedrdlock(&lock, &late) == ETIMEDOUT);
    assert(pthread_rwlock_timedwrlock(&lock, &late) == ETIMEDOUT);
    assert(pthread_rwlock_clockrdlock(&lock, CLOCK_MONOTONIC, &soon) == ETIMEDOUT);
    assert(pthread_rwlock_clockwrlock(&lock, CLOCK_MONOTONIC, &soon) == ETIMEDOUT);
    late.tv_nsec = 1000000000;
    assert(pthread_rwlock_timedrdlock(&lock, &late) == EINVAL);
    assert(pthread_rwlock_timedwrlock(&lock, &late) == EINVAL);
    late.tv_nsec = 0;
    assert(pthread_rwlock_clockrdlock(&lock, CLOCK_PROCESS_CPUTIME_ID, &late) == EINVAL);
    assert(pthread_rwlock_clockwrlock(&lock, CLOCK_PROCESS_CPUTIME_ID, &late) == EINVAL);
    return unused;
}

static void *write_times_out(void *unused)
{
    struct timespec late = in_ms(CLOCK_REALTIME, -1);
    assert(pthread_rwlock_timedwrlock(&lock, &late) == ETIMEDOUT);
    assert(pthread_rwlock_timedrdlock(&lock, &late) == 0); /* free for readers */
    assert(pthread_rwlock_unlock(&lock) == 0);
    return unused;
}

static void *either(void *unused)
{
    struct timespec later = in_ms(CLOCK_REALTIME, 20000);
    int error = pthread_rwlock_timedwrlock(&lock, &later);
    assert(error == 0 || error == ETIMEDOUT);
    if (error == 0)
        assert(pthread_rwlock_unlock(&lock) == 0);
    error = pthread_rwlock_timedrdlock(&lock, &later);
    assert(error == 0 || error == ETIMEDOUT);
    if (error == 0)
        assert(pthread_rwlock_unlock(&lock) == 0);
    return unused;
}

int main(void)
{
    pthread_rwlockattr_t attr;
    int value = -1;
    assert(pthread_rwlockattr_init(&attr) == 0);
    assert(pthread_rwlockattr_getpshared(&attr, &value) == 0 && value == PTHREAD_PROCESS_PRIVATE);
    assert(pthread_rwlockattr_setpshared(&attr, PTHREAD_PROCESS_SHARED) == 0);
    assert(pthread_rwlockattr_setpshared(&attr, 77) == EINVAL);
    assert(pthread_rwlockattr_getkind_np(&attr, &value) == 0 && value == PTHREAD_RWLOCK_DEFAULT_NP);
    assert(pthread_rwlockattr_setkind_np(&attr, 77) == EINVAL);
    assert(pthread_rwlock_init(&lock, &attr) == 0);
    assert(pthread_rwlockattr_destroy(&attr) == 0);

    struct timespec late = in_ms(CLOCK_REALTIME, -1000), later = in_ms(CLOCK_REALTIME, 20000);
    assert(pthread_rwlock_timedrdlock(&lock, &late) == 0);
    elsewhere(write_times_out, NULL);
    assert(pthread_rwlock_unlock(&lock) == 0);
    assert(pthread_rwlock_timedwrlock(&lock, &late) == 0);
    assert(pthread_rwlock_timedwrlock(&lock, &later) == EDEADLK);
    assert(pthread_rwlock_timedrdlock(&lock, &later) == EDEADLK);
    elsewhere(all_time_out, NULL);
    pthread_t a = start(either, NULL);
    pthread_t b = start(either, NULL);
    assert(pthread_rwlock_unlock(&lock) == 0);
    finish(a);
    finish(b);
    assert(pthread_rwlock_destroy(&lock) == 0);
    return 0;
}
