// expect: data-race
/* A flag is published with a relaxed store: who sees the flag need not see the data. */
#define _GNU_SOURCE
#include "../help.h"
#include <stdatomic.h>

int data;
atomic_int ready;

static void *produce(void *unused)
{
    data = 42; // HERE
    atomic_store_explicit(&ready, 1, memory_order_relaxed);
    return unused;
}

int main(void)
{
    pthread_t thread = start(produce, NULL);
    if (atomic_load_explicit(&ready, memory_order_acquire))
        assert(data == 42); // HERE
    finish(thread);
    return 0;
}
