// expect: pass --steps 20000
/* Somebody sets it. */
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
    while (!atomic_load(&flag))
        ;
}

int main(void)
{
    pthread_t thread = start(set, NULL);
    finish(thread);
    wait_flag();
    return 0;
}
