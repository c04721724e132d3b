// expect: hang --steps 20000
/* Two threads wait for each other by polite spinning. */
#define _GNU_SOURCE
#include "../help.h"
#include <sched.h>
#include <stdatomic.h>

static atomic_int first, second;

static void wait_for(atomic_int *flag)
{
    while (sched_yield() == 0 && !atomic_load(flag)) // HERE
        ;
}

static void *body(void *unused)
{
    wait_for(&first);
    atomic_store(&second, 1);
    return unused;
}

int main(void)
{
    int polite = 1;
    pthread_t thread = start(body, NULL);
    if (polite)
        wait_for(&second);
    atomic_store(&first, 1);
    finish(thread);
    return 0;
}
