// expect: pass
/* A read-modify-write, relaxed as it may be, continues the release sequence. */
#define _GNU_SOURCE
#include "../help.h"
#include <stdatomic.h>

int data;
atomic_int stage;

static void *produce(void *unused)
{
    data = 42;
    atomic_store_explicit(&stage, 1, memory_order_release);
    return unused;
}

static void *pass_on(void *unused)
{
    if (atomic_load_explicit(&stage, memory_order_relaxed) == 1)
        atomic_fetch_add_explicit(&stage, 1, memory_order_relaxed);
    return unused;
}

int main(void)
{
    pthread_t a = start(produce, NULL), b = start(pass_on, NULL);
    if (atomic_load_explicit(&stage, memory_order_acquire) == 2)
        assert(data == 42);
    finish(a);
    finish(b);
    return 0;
}
