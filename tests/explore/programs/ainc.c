// ainc(N): N threads, each one fetch_add on the same location. Updates of one location are totally
// ordered and each order is an execution of its own: N!, under every model.
// counts: -DN=2 sc=2 tso=2 rc11=2
// counts: -DN=5 sc=120 tso=120 rc11=120
// counts: -DN=7 sc=5040 tso=5040 rc11=5040
#include "threads.h"

#ifndef N
#define N 5
#endif

static atomic_int x;

static void *add(void *unused)
{
    atomic_fetch_add_explicit(&x, 1, memory_order_relaxed);
    return unused;
}

int main(void)
{
    start_all(N, add);
    join_all(N);
    assert(atomic_load(&x) == N);
    return 0;
}
