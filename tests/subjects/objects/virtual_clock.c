/* Clocks never go backwards, in one thread or across threads that are ordered; sleeping takes at
 * least as long as it says. */
#define _GNU_SOURCE
#include "../help.h"
#include <poll.h>
#include <sys/select.h>
#include <sys/time.h>
#include <unistd.h>

static long long now(clockid_t clock)
{
    struct timespec t = {0, -1};
    assert(clock_gettime(clock, &t) == 0);
    assert(t.tv_nsec >= 0 && t.tv_nsec < 1000000000);
    return t.tv_sec * 1000000000LL + t.tv_nsec;
}

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static long long latest; /* under mutex */

static void *watch(void *unused)
{
    for (int i = 0; i < 3; i++) {
        assert(pthread_mutex_lock(&mutex) == 0);
        long long t = now(CLOCK_MONOTONIC);
        assert(t >= latest);
        latest = t;
        assert(pthread_mutex_unlock(&mutex) == 0);
        usleep(100);
    }
    return unused;
}

int main(void)
{
    long long before = now(CLOCK_MONOTONIC);
    struct timespec little = {0, 2000000}, rest;
    assert(nanosleep(&little, &rest) == 0);
    assert(now(CLOCK_MONOTONIC) - before >= 2000000);
    before = now(CLOCK_MONOTONIC);
    assert(usleep(1000) == 0);
    assert(now(CLOCK_MONOTONIC) - before >= 1000000);
    before = now(CLOCK_MONOTONIC);
    assert(clock_nanosleep(CLOCK_MONOTONIC, 0, &little, NULL) == 0);
    assert(now(CLOCK_MONOTONIC) - before >= 2000000);
    struct timespec until = in_ms(CLOCK_MONOTONIC, 3);
    assert(clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, &until, NULL) == 0);
    assert(now(CLOCK_MONOTONIC) >= until.tv_sec * 1000000000LL + until.tv_nsec);
    before = now(CLOCK_MONOTONIC);
    assert(poll(NULL, 0, 2) == 0);
    assert(now(CLOCK_MONOTONIC) - before >= 2000000);
    struct timeval brief = {0, 1000};
    assert(select(0, NULL, NULL, NULL, &brief) == 0);
    little.tv_nsec = 1000000000;
    assert(nanosleep(&little, NULL) == -1 && errno == EINVAL);

    long long real = now(CLOCK_REALTIME);
    struct timeval tv;
    assert(gettimeofday(&tv, NULL) == 0);
    assert(tv.tv_sec * 1000000LL + tv.tv_usec >= real / 1000);
    time_t seconds = time(NULL);
    assert(seconds >= real / 1000000000 - 1);
    assert(clock() != (clock_t)-1);
    struct timespec resolution;
    assert(clock_getres(CLOCK_MONOTONIC, &resolution) == 0);
    struct timespec utc;
    assert(timespec_get(&utc, TIME_UTC) == TIME_UTC);
    assert(utc.tv_sec * 1000000000LL + utc.tv_nsec >= real);

    pthread_t a = start(watch, NULL), b = start(watch, NULL);
    finish(a);
    finish(b);
    return 0;
}
