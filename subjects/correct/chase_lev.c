/*
 * The work-stealing deque of Chase and Lev, with the fences of Lê, Pop, Cohen and Zappa Nardelli.
 * Its owner pushes and takes at the bottom, thieves steal at the top. Only for the last item do
 * they meet: then an exchange of the top decides. The owner first lowers the bottom and then reads
 * the top, a thief first reads the top and then the bottom: the seq_cst fences between make sure
 * that at least one of them sees the other (store buffering), so that an item above the last is
 * never taken twice. The array has a fixed size here.
 *
 * A push publishes its item by a release fence before the store to the bottom, not by a release
 * store: a take then lowers the bottom with a relaxed store, and a thief may read that one and go
 * for an item below. The fence stands before it, too. A release store would count for it only as
 * head of a release sequence that later stores of its thread go on with, which C++20 has given up:
 * wrong/chase_lev_cxx20.c.
 */
#include <plumb.h>
#include <stdatomic.h>
#include <stdbool.h>

#ifndef PUBLISH
#define PUBLISH(b)                                                                                 \
    (atomic_thread_fence(memory_order_release),                                                    \
     atomic_store_explicit(&bottom, b, memory_order_relaxed))
#endif
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
    PUBLISH(b + 1);
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
