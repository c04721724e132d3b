/*
 * Two words that are written and read together, under a seqlock: the count is odd while somebody
 * writes. A reader reads the count, the words, and the count again; if it has not changed and is
 * even, no write came between. The words are atomic, since they are read while they are written,
 * but relaxed. Boehm's orders: a reader's second look at the count comes after an acquire fence,
 * a writer's words come after a release fence, so that who sees one of its words sees its count.
 */
#include <plumb.h>
#include <stdatomic.h>

#ifndef LOOK_AGAIN
#define LOOK_AGAIN() atomic_thread_fence(memory_order_acquire)
#endif

struct pair {
    int left, right;
};

static atomic_uint count;
static atomic_int left, right;

static void set(int l, int r)
{
    unsigned old = atomic_load_explicit(&count, memory_order_relaxed);
    while (old % 2 || !atomic_compare_exchange_weak_explicit(
                          &count, &old, old + 1, memory_order_acquire, memory_order_relaxed))
        old = atomic_load_explicit(&count, memory_order_relaxed);
    atomic_thread_fence(memory_order_release);
    atomic_store_explicit(&left, l, memory_order_relaxed);
    atomic_store_explicit(&right, r, memory_order_relaxed);
    atomic_store_explicit(&count, old + 2, memory_order_release);
}

static struct pair get(void)
{
    for (;;) {
        unsigned before = atomic_load_explicit(&count, memory_order_acquire);
        struct pair now = {atomic_load_explicit(&left, memory_order_relaxed),
                           atomic_load_explicit(&right, memory_order_relaxed)};
        LOOK_AGAIN();
        unsigned after = atomic_load_explicit(&count, memory_order_relaxed);
        if (before == after && before % 2 == 0)
            return now;
    }
}

PLUMB_CALL(set(1, 1))
PLUMB_CALL(set(2, 2))
PLUMB_CALL(get())
