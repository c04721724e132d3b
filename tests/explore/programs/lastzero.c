// lastzero(N), from "Optimal dynamic partial order reduction" (POPL 2014): thread 0 looks from the
// end of an array for the last zero, thread i sets array[i] to array[i - 1] + 1. The known counts
// are 3,328 for N = 10 and 147,456 for N = 15, (N + 3) * 2^(N - 2) in general.
// counts: -DN=5 sc=64 tso=64 rc11=64
// counts: -DN=10 sc=3328 tso=3328 rc11=3328
#include "threads.h"

#ifndef N
#define N 5
#endif

static atomic_int array[N + 1];

static void *body(void *argument)
{
    int i = number_of(argument);
    if (i > 0) {
        int before = atomic_load_explicit(&array[i - 1], memory_order_acquire);
        atomic_store_explicit(&array[i], before + 1, memory_order_release);
        return NULL;
    }
    for (i = N; atomic_load_explicit(&array[i], memory_order_acquire) != 0; i--)
        continue;
    return NULL;
}

int main(void)
{
    start_all(N + 1, body);
    join_all(N + 1);
    return 0;
}
