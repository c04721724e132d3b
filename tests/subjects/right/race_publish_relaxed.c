// expect: pass
/* The flag is published with a release store and taken with an acquire load. */
#define _GNU_SOURCE
#include "../help.h"
#include <stdatomic.h>

int data;
atomic_int ready;

static void *produce(void *unused)
{
    data = 42;
    atomic_store_explicit(&ready, 1, memory_order_release);
    return unused;
}

int main(void)
{
    pthread_t thread = start(produce, NULL);
    if (atomic_load_explicit(&ready, memory_order_acquire))
        assert(data == 42);
    finish(thread);
    return 0;
}
