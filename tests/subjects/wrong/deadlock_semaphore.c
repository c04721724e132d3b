// expect: deadlock
/* Two units are needed by each of two threads, taken one by one. */
#define _GNU_SOURCE
#include "../help.h"
#include <semaphore.h>

static sem_t units;

static void *take_two(void *unused)
{
    sem_wait(&units);
    sem_wait(&units); // HERE
    sem_post(&units);
    sem_post(&units);
    return unused;
}

int main(void)
{
    assert(sem_init(&units, 0, 2) == 0);
    pthread_t a = start(take_two, NULL), b = start(take_two, NULL);
    finish(a);
    finish(b);
    return 0;
}
