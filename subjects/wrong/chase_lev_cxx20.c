/*
 * The work-stealing deque whose push publishes with a release store in place of a release fence and
 * a relaxed store. Up to C++17 that is right: what take stores after it, relaxed, goes on with its
 * release sequence. Since C++20 a store of the same thread ends it: a thief that reads the bottom
 * as a take has lowered it has not acquired anything, and may find an empty slot below.
 *
 * rc11 has the older rule and passes the deque itself (tests/check/gallery.sh). So what C++20 says
 * is spelled out here: the lowest bit of the bottom tells that a take has lowered it, and a thief
 * that sees it set does not acquire. (What take stores last comes after its fence: as good as a
 * release.)
 */
#include <plumb.h>
#include <stdatomic.h>
#include <stdbool.h>

enum { SLOTS = 4 };

static atomic_int slot[SLOTS];
static atomic_long top, bottom; /* of the bottom twice the index, plus 1 if it was lowered */

static bool push(int value) /* the owner; false: full */
{
    long b = atomic_load_explicit(&bottom, memory_order_relaxed) >> 1;
    long t = atomic_load_explicit(&top, memory_order_acquire);
    if (b - t >= SLOTS)
        return false;
    atomic_store_explicit(&slot[b % SLOTS], value, memory_order_relaxed);
    atomic_store_explicit(&bottom, 2 * (b + 1), memory_order_release);
    return true;
}

static int take(void) /* the owner; 0: empty */
{
    long b = (atomic_load_explicit(&bottom, memory_order_relaxed) >> 1) - 1;
    atomic_store_explicit(&bottom, 2 * b + 1, memory_order_relaxed);
    atomic_thread_fence(memory_order_seq_cst);
    long t = atomic_load_explicit(&top, memory_order_relaxed);
    int value = 0;
    if (t <= b)
        value = atomic_load_explicit(&slot[b % SLOTS], memory_order_relaxed);
    if (t < b)
        return value;
    if (t == b && !atomic_compare_exchange_strong_explicit(&top, &t, t + 1, memory_order_seq_cst,
                                                           memory_order_relaxed))
        value = 0; /* stolen */
    atomic_store_explicit(&bottom, 2 * (b + 1), memory_order_relaxed);
    return value;
}

static int steal(void) /* a thief; 0: empty */
{
    for (;;) {
        long t = atomic_load_explicit(&top, memory_order_acquire);
        atomic_thread_fence(memory_order_seq_cst);
        long b = atomic_load_explicit(&bottom, memory_order_relaxed);
        if (!(b & 1))
            atomic_thread_fence(memory_order_acquire);
        if (t >= b >> 1)
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
