// expect: pass
/* A relaxed load, then an acquire fence, is as good as an acquire load. */
#define _GNU_SOURCE
#include "../help.h"
#include <stdatomic.h>

int data;
atomic_int ready;

static void *produce(void *unused)
{
    data = 42;
    atomic_thread_fence(memory_order_release);
    atomic_store_explicit(&ready, 1, memory_order_relaxed);
    return unused;
}

int main(void)
{
    pthread_t thread = start(produce, NULL);
    if (atomic_load_explicit(&ready, memory_order_relaxed)) {
        atomic_thread_fence(memory_order_acquire);
        assert(data == 42);
    }
    finish(thread);
    return 0;
}
