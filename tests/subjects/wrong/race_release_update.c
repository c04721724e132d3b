// expect: data-race
/* The store releases nothing: the update after it has nothing to hand on. */
#include "../help.h"
#include <stdatomic.h>

int data;
atomic_int count;

static void *write_it(void *unused)
{
    data = 1; // HERE
    atomic_store_explicit(&count, 1, memory_order_relaxed);
    return unused;
}

static void *add(void *unused)
{
    int one = 1;
    atomic_compare_exchange_strong_explicit(&count, &one, 2, memory_order_release,
                                            memory_order_relaxed);
    return unused;
}

int main(void)
{
    pthread_t a = start(write_it, NULL), b = start(add, NULL);
    if (atomic_load_explicit(&count, memory_order_acquire) == 2)
        assert(data == 1); // HERE
    finish(a);
    finish(b);
    return 0;
}
