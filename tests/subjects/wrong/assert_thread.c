// expect: assertion
/* A thread assumes that it runs after another one; only in some interleavings it does. */
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
    assert(atomic_load(&stage) == 1); // HERE
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
