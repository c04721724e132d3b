// expect: hang --steps 20000
/* A thread waits for a flag that nobody sets. */
#define _GNU_SOURCE
#include "../help.h"
#include <stdatomic.h>

static atomic_int flag;

static void *set(void *unused)
{
    atomic_store(&flag, 1);
    return unused;
}

static void wait_flag(void)
{
    while (!atomic_load(&flag)) // HERE
        ;
}

int main(void)
{
    pthread_t thread = start(set, NULL);
    finish(thread);
    atomic_store(&flag, 0);
    wait_flag();
    return 0;
}
