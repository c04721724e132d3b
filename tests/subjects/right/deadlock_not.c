// expect: pass
/* Threads blocked for ever do not matter once main has returned. */
#define _GNU_SOURCE
#include "../help.h"
#include <semaphore.h>

static sem_t never;

static void *block(void *unused)
{
    sem_wait(&never);
    return unused;
}

int main(void)
{
    assert(sem_init(&never, 0, 0) == 0);
    start(block, NULL);
    start(block, NULL);
    return 0;
}
