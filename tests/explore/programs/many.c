// Twenty threads, of which two meet, and long executions: each makes 10 events of its own first.
// counts: sc=2 tso=2 rc11=2
#include "threads.h"

enum { N = 20 };

static atomic_int own[N], shared;

static void *body(void *argument)
{
    int i = number_of(argument);
    for (int k = 0; k < 10; k++)
        atomic_store_explicit(&own[i], k, memory_order_relaxed);
    if (i == 0 || i == N - 1)
        atomic_store_explicit(&shared, i, memory_order_relaxed);
    return NULL;
}

int main(void)
{
    start_all(N, body);
    join_all(N);
    assert(atomic_load(&shared) < N);
    return 0;
}
