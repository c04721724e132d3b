/* A seqlock: a reader tries again as long as a writer is or was at work. With too weak an order
 * it takes halves of two writes. */
// outcomes: sc=0,5,10 tso=0,5,10 rc11=0,5,10
// outcomes: -DWEAK sc=0,5,10 tso=0,5,10 rc11=0,1,2,4,5,6,8,9,10
#include "rounds.h"

#ifdef WEAK
#define FENCE_ACQUIRE() ((void)0)
#define FENCE_RELEASE() ((void)0)
#else
#define FENCE_ACQUIRE() atomic_thread_fence(memory_order_acquire)
#define FENCE_RELEASE() atomic_thread_fence(memory_order_release)
#endif

static atomic_int sequence, x, y;

static void *write_twice(void *unused)
{
    for (int i = 1; i <= 2; i++) {
        int at = atomic_load_explicit(&sequence, memory_order_relaxed);
        atomic_store_explicit(&sequence, at + 1, memory_order_relaxed);
        FENCE_RELEASE();
        atomic_store_explicit(&x, i, memory_order_relaxed);
        atomic_store_explicit(&y, i, memory_order_relaxed);
        atomic_store_explicit(&sequence, at + 2, memory_order_release);
    }
    return unused;
}

int main(void)
{
    pthread_t a = start(write_twice, 0);
    int before, after, seen_x, seen_y;
    do {
        before = atomic_load_explicit(&sequence, memory_order_acquire);
        seen_x = atomic_load_explicit(&x, memory_order_relaxed);
        seen_y = atomic_load_explicit(&y, memory_order_relaxed);
        FENCE_ACQUIRE();
        after = atomic_load_explicit(&sequence, memory_order_relaxed);
    } while (before != after || before & 1);
    finish(a);
    outcome(seen_x * 4 + seen_y);
    return 0;
}
