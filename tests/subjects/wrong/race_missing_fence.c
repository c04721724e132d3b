// expect: data-race
/*
 * The reader loads the flag relaxed and should have an acquire fence before it touches the
 * data.
 */
#define _GNU_SOURCE
#include "../help.h"
#include <stdatomic.h>

int data;
atomic_int ready;

static void *produce(void *unused)
{
    data = 42; // HERE
    atomic_thread_fence(memory_order_release);
    atomic_store_explicit(&ready, 1, memory_order_relaxed);
    return unused;
}

int main(void)
{
    pthread_t thread = start(produce, NULL);
    if (atomic_load_explicit(&ready, memory_order_relaxed)) {
        atomic_signal_fence(memory_order_acquire); /* keeps the compiler quiet only */
        assert(data == 42);                        // HERE
    }
    finish(thread);
    return 0;
}
