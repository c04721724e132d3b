// expect: assertion
/* Peterson's lock with the turn given away before the flag is raised: both get in. */
#define _GNU_SOURCE
#include "../help.h"
#include <sched.h>
#include <stdatomic.h>
#include <stdint.h>

static atomic_int flag[2], turn, inside;

static void lock(int me)
{
    atomic_store(&turn, 1 - me);
    atomic_store(&flag[me], 1);
    while (atomic_load(&flag[1 - me]) && atomic_load(&turn) == 1 - me)
        sched_yield();
}

static void *enter(void *argument)
{
    int me = (int)(intptr_t)argument;
    lock(me);
    assert(atomic_fetch_add(&inside, 1) == 0); // HERE
    atomic_fetch_sub(&inside, 1);
    atomic_store(&flag[me], 0);
    return NULL;
}

int main(void)
{
    pthread_t a = start(enter, (void *)0), b = start(enter, (void *)1);
    finish(a);
    finish(b);
    return 0;
}
