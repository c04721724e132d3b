/* spinlock(N): N threads take a test-and-test-and-set lock once. N! orders of the exchanges that
 * succeed; the test before the k-th of them has read any of the k words that were 0 by then, the
 * first one and those of k - 1 unlocks, under every model: N! again. */
// retries: -DN=2 sc=4 tso=4 rc11=4 blocked=0
// retries: -DN=3 sc=36 tso=36 rc11=36 blocked=0
// retries: -DN=4 sc=576 tso=576 rc11=576 blocked=0
#include "threads.h"

#include <plumb.h>

#ifndef N
#define N 3
#endif

static atomic_int word;
static int count;

static void lock(void)
{
#ifdef ASSUME
    plumb_assume(atomic_load_explicit(&word, memory_order_relaxed) == 0);
    plumb_assume(atomic_exchange_explicit(&word, 1, memory_order_acquire) == 0);
#else
    do
        while (atomic_load_explicit(&word, memory_order_relaxed))
            ;
    while (atomic_exchange_explicit(&word, 1, memory_order_acquire));
#endif
}

static void *work(void *unused)
{
    lock();
    count++;
    atomic_store_explicit(&word, 0, memory_order_release);
    return unused;
}

int main(void)
{
    start_all(N, work);
    join_all(N);
    assert(count == N);
    return 0;
}
