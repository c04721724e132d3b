/* Chase and Lev's deque: the owner pushes two and takes two, STEALERS steal until they have one or
 * it is empty. Without the fences two of them get the same. */
// outcomes: -DSTEALERS=1 sc=0,1 tso=0,1 rc11=0,1
// finding: -DSTEALERS=1 sc=pass tso=pass rc11=pass
// finding: -DSTEALERS=2 sc=pass tso=pass rc11=pass
// finding: -DSTEALERS=2 -DNO_FENCE sc=pass tso=assertion rc11=assertion
#include "rounds.h"

#ifdef NO_FENCE
#define FENCE() ((void)0)
#else
#define FENCE() atomic_thread_fence(memory_order_seq_cst)
#endif

enum { EMPTY = -1, ABORT = -2 };

static atomic_int top, bottom, slot[4], taken[2];

static void push(int value)
{
    int b = atomic_load_explicit(&bottom, memory_order_relaxed);
    atomic_store_explicit(&slot[b & 3], value, memory_order_relaxed);
    atomic_store_explicit(&bottom, b + 1, memory_order_release);
}

static int take(void)
{
    int b = atomic_load_explicit(&bottom, memory_order_relaxed) - 1;
    atomic_store_explicit(&bottom, b, memory_order_relaxed);
    FENCE();
    int t = atomic_load_explicit(&top, memory_order_relaxed), value = EMPTY;
    if (t <= b) {
        value = atomic_load_explicit(&slot[b & 3], memory_order_relaxed);
        if (t < b)
            return value;
        if (!atomic_compare_exchange_strong_explicit(&top, &t, t + 1, memory_order_seq_cst,
                                                     memory_order_relaxed))
            value = EMPTY;
    }
    atomic_store_explicit(&bottom, b + 1, memory_order_relaxed);
    return value;
}

static int steal_once(void)
{
    int t = atomic_load_explicit(&top, memory_order_acquire);
    FENCE();
    int b = atomic_load_explicit(&bottom, memory_order_acquire);
    if (t >= b)
        return EMPTY;
    int value = atomic_load_explicit(&slot[t & 3], memory_order_relaxed);
    return atomic_compare_exchange_strong_explicit(&top, &t, t + 1, memory_order_seq_cst,
                                                   memory_order_relaxed)
               ? value
               : ABORT;
}

static void count(int value)
{
    if (value >= 0)
        assert(atomic_fetch_add_explicit(&taken[value], 1, memory_order_relaxed) == 0);
}

static void *steal(void *unused)
{
    int value;
    do
        value = steal_once();
    while (value == ABORT);
    count(value);
    return unused;
}

int main(void)
{
    pthread_t thread[STEALERS];
    for (long i = 0; i < STEALERS; i++)
        thread[i] = start(steal, i);
    push(0);
    push(1);
    count(take());
    int last = take();
    count(last);
    for (int i = 0; i < STEALERS; i++)
        finish(thread[i]);
    assert(atomic_load(&taken[0]) == 1 && atomic_load(&taken[1]) == 1);
    outcome(last + 1);
    return 0;
}
