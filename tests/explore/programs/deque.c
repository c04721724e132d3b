/* Chase and Lev's deque with the fences of Le, Pop, Cohen and Zappa Nardelli (2013): the owner
 * pushes PUSHES values and takes as often, N others try to steal once each. Everything pushed is
 * given out once. Under sc the counts are those of all interleavings, grouped by what each read
 * reads. */
// counts: -DN=1 sc=18 tso=18 rc11=18
// counts: -DN=2 sc=332 tso=332 rc11=348
// counts: -DN=3 sc=6998 tso=6998 rc11=8042
#include "threads.h"

#ifndef N
#define N 2
#endif
#ifndef PUSHES
#define PUSHES 2
#endif

enum { SLOTS = 4, NOTHING = -1 };

static atomic_int top, bottom, slot[SLOTS];

static void push(int value)
{
    int b = atomic_load_explicit(&bottom, memory_order_relaxed);
    int t = atomic_load_explicit(&top, memory_order_acquire);
    assert(b - t < SLOTS);
    atomic_store_explicit(&slot[b % SLOTS], value, memory_order_relaxed);
    atomic_store_explicit(&bottom, b + 1, memory_order_release);
}

static int take(void)
{
    int b = atomic_load_explicit(&bottom, memory_order_relaxed) - 1, value = NOTHING;
    atomic_store_explicit(&bottom, b, memory_order_relaxed);
    atomic_thread_fence(memory_order_seq_cst);
    int t = atomic_load_explicit(&top, memory_order_relaxed);
    if (t <= b) {
        value = atomic_load_explicit(&slot[b % SLOTS], memory_order_relaxed);
        if (t < b)
            return value;
        if (!atomic_compare_exchange_strong_explicit(&top, &t, t + 1, memory_order_seq_cst,
                                                     memory_order_relaxed))
            value = NOTHING;
    }
    atomic_store_explicit(&bottom, b + 1, memory_order_relaxed);
    return value;
}

static int steal(void)
{
    int t = atomic_load_explicit(&top, memory_order_acquire);
    atomic_thread_fence(memory_order_seq_cst);
    int b = atomic_load_explicit(&bottom, memory_order_acquire);
    if (t >= b)
        return NOTHING;
    int value = atomic_load_explicit(&slot[t % SLOTS], memory_order_relaxed);
    return atomic_compare_exchange_strong_explicit(&top, &t, t + 1, memory_order_seq_cst,
                                                   memory_order_relaxed)
               ? value
               : NOTHING;
}

static int got[N + PUSHES];

static void *stealer(void *argument)
{
    got[number_of(argument)] = steal();
    return NULL;
}

int main(void)
{
    start_all(N, stealer);
    for (int i = 0; i < PUSHES; i++)
        push(i);
    for (int i = 0; i < PUSHES; i++)
        got[N + i] = take();
    join_all(N);
    int times[PUSHES] = {0};
    for (int i = 0; i < N + PUSHES; i++)
        if (got[i] != NOTHING)
            times[got[i]]++;
    for (int i = 0; i < PUSHES; i++)
        assert(times[i] == 1);
    return 0;
}
