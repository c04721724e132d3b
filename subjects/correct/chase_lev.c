/*
 * The work-stealing deque of Chase and Lev, with the fences of Lê, Pop, Cohen and Zappa Nardelli.
 * Its owner pushes and takes at the bottom, thieves steal at the top. Only for the last item do
 * they meet: then an exchange of the top decides. The owner first lowers the bottom and then reads
 * the top, a thief first reads the top and then the bottom: the seq_cst fences between make sure
 * that at least one of them sees the other (store buffering), so that an item above the last is
 * never taken twice. The array has a fixed size here.
 */
#include <plumb.h>
#include <stdatomic.h>
#include <stdbool.h>

#ifndef LOWERED
#define LOWERED() atomic_thread_fence(memory_order_seq_cst)
#endif

enum { SLOTS = 4 };

static atomic_int slot[SLOTS];
static atomic_long top, bottom;

static bool push(int value) /* the owner; false: full */
{
    long b = atomic_load_explicit(&bottom, memory_order_relaxed);
    long t = atomic_load_explicit(&top, memory_order_acquire);
    if (b - t >= SLOTS)
        return false;
    atomic_store_explicit(&slot[b % SLOTS], value, memory_order_relaxed);
    atomic_store_explicit(&bottom, b + 1, memory_order_release);
    return true;
}

static int take(void) /* the owner; 0: empty */
{
    long b = atomic_load_explicit(&bottom, memory_order_relaxed) - 1;
    atomic_store_explicit(&bottom, b, memory_order_relaxed);
    LOWERED();
    long t = atomic_load_explicit(&top, memory_order_relaxed);
    int value = 0;
    if (t <= b)
        value = atomic_load_explicit(&slot[b % SLOTS], memory_order_relaxed);
    if (t < b)
        return value;
    if (t == b && !atomic_compare_exchange_strong_explicit(&top, &t, t + 1, memory_order_seq_cst,
                                                           memory_order_relaxed))
        value = 0; /* stolen */
    atomic_store_explicit(&bottom, b + 1, memory_order_relaxed);
    return value;
}

static int steal(void) /* a thief; 0: empty */
{
    for (;;) {
        long t = atomic_load_explicit(&top, memory_order_acquire);
        atomic_thread_fence(memory_order_seq_cst);
        long b = atomic_load_explicit(&bottom, memory_order_acquire);
        if (t >= b)
            return 0;
        int value = atomic_load_explicit(&slot[t % SLOTS], memory_order_relaxed);
        if (atomic_compare_exchange_strong_explicit(&top, &t, t + 1, memory_order_seq_cst,
                                                    memory_order_relaxed))
            return value;
    }
}

PLUMB_CALL(push(1))
PLUMB_CALL(push(2))
PLUMB_CALL(take())
PLUMB_CALL(steal())
PLUMB_GROUP(push, take)
