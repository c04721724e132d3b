// casrot(N): thread i swaps x from i - 1 to i, once. With k swaps done, thread k + 1 read one of k
// values and each later one one of k + 1: the sum over k of k^[k<N] * (k + 1)^(N - k - 1), k >= 1.
// counts: -DN=3 sc=5 tso=5 rc11=5
// counts: -DN=6 sc=144 tso=144 rc11=144
// counts: -DN=8 sc=2048 tso=2048 rc11=2048
// counts: -DN=9 sc=8597 tso=8597 rc11=8597
#include "threads.h"

#ifndef N
#define N 6
#endif

static atomic_int x;

static void *swap(void *argument)
{
    int expected = number_of(argument);
    atomic_compare_exchange_strong(&x, &expected, expected + 1);
    return NULL;
}

int main(void)
{
    start_all(N, swap);
    join_all(N);
    assert(atomic_load(&x) >= 1);
    return 0;
}
