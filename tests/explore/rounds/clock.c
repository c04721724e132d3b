/* The loop looks at the clock and gives up. */
// outcomes: run=some sc=0,1 tso=0,1 rc11=0,1
#include <time.h>

#include "rounds.h"

static atomic_int flag;

static void *set(void *unused)
{
    atomic_store(&flag, 1);
    return unused;
}

static int later(const struct timespec *from)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return now.tv_sec > from->tv_sec || now.tv_nsec > from->tv_nsec + 3000000;
}

int main(void)
{
    pthread_t a = start(set, 0);
    struct timespec begin;
    int got, late = 0;
    clock_gettime(CLOCK_MONOTONIC, &begin);
    while (!(got = atomic_load(&flag)) && !late)
        late = later(&begin);
    finish(a);
    outcome(!got);
    return 0;
}
