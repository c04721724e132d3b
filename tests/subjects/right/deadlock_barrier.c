// expect: pass
/* It counts those who come. */
#define _GNU_SOURCE
#include "../help.h"

static pthread_barrier_t barrier;

static void *meet(void *unused)
{
    pthread_barrier_wait(&barrier);
    return unused;
}

int main(void)
{
    assert(pthread_barrier_init(&barrier, NULL, 2) == 0);
    pthread_t a = start(meet, NULL), b = start(meet, NULL);
    finish(a);
    finish(b);
    return 0;
}
