// fib_bench of SV-COMP: two threads do i += j and j += i, N times each; main reads both meanwhile,
// without waiting for them. Acquire loads, release stores. The greatest value is fib(2N + 2).
// counts: -DN=1 sc=11 tso=11 rc11=11
// counts: -DN=2 sc=140 tso=153 rc11=153
// counts: -DN=3 sc=1698 tso=2258 rc11=2258
#include "threads.h"

#ifndef N
#define N 5
#endif

static atomic_int i = 1, j = 1;

static int get(atomic_int *x)
{
    return atomic_load_explicit(x, memory_order_acquire);
}

static void set(atomic_int *x, int value)
{
    atomic_store_explicit(x, value, memory_order_release);
}

static void *body(void *argument)
{
    atomic_int *own = number_of(argument) ? &j : &i, *other = number_of(argument) ? &i : &j;
    for (int k = 0; k < N; k++) {
        int a = get(own), b = get(other);
        set(own, a + b);
    }
    return NULL;
}

int main(void)
{
    int a = 1, b = 1; /* fib(1), fib(2) */
    for (int k = 0; k < 2 * N; k++) {
        int next = a + b;
        a = b;
        b = next;
    }
    start_all(2, body);
    int left = get(&i), right = get(&j);
    assert(left <= b && right <= b);
    join_all(2);
    return 0;
}
