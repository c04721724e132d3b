// expect: pass
/* It waits for it. */
#define _GNU_SOURCE
#include "../help.h"
#include <semaphore.h>
#include <stdatomic.h>

static atomic_int stage;
static sem_t set;

static void *first(void *unused)
{
    atomic_store(&stage, 1);
    assert(sem_post(&set) == 0);
    return unused;
}

static void *second(void *unused)
{
    assert(sem_wait(&set) == 0);
    assert(atomic_load(&stage) == 1);
    return unused;
}

int main(void)
{
    assert(sem_init(&set, 0, 0) == 0);
    pthread_t a = start(first, NULL), b = start(second, NULL);
    finish(a);
    finish(b);
    return 0;
}
