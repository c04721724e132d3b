// Three threads store to one location; main joins them last first and reads after each join. What
// it reads is never older than the store of a thread it has joined: 15 (by brute force).
// counts: sc=15 tso=15 rc11=15
#include "threads.h"

static atomic_int x;

static void *body(void *argument)
{
    atomic_store_explicit(&x, number_of(argument) + 1, memory_order_relaxed);
    return NULL;
}

int main(void)
{
    start_all(3, body);
    for (int i = 2; i >= 0; i--) {
        pthread_join(threads[i], NULL);
        (void)atomic_load_explicit(&x, memory_order_relaxed);
    }
    return 0;
}
