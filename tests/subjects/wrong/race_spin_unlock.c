// expect: data-race
/* A home-made spin lock that unlocks with a relaxed store excludes but does not order. */
#define _GNU_SOURCE
#include "../help.h"
#include <sched.h>
#include <stdatomic.h>

atomic_int lock;
int shared;

static void *add(void *unused)
{
    while (atomic_exchange_explicit(&lock, 1, memory_order_acquire))
        sched_yield();
    shared++; // HERE
    atomic_store_explicit(&lock, 0, memory_order_relaxed);
    return unused;
}

int main(void)
{
    pthread_t a = start(add, NULL), b = start(add, NULL);
    finish(a);
    finish(b);
    return 0;
}
