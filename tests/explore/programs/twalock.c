/* twalock(N): a ticket lock with a waiting array (Dice and Kogan 2019), taken once by N threads.
 * Who is next looks at `granted`, as in a ticket lock; who is further away watches a slot of the
 * array, which a release changes as soon as the slot's ticket is next but one. */
// retries: -DN=2 sc=4 tso=4 rc11=4 blocked=0
// retries: -DN=3 sc=72 tso=72 rc11=72 blocked=2
// retries: -DN=4 sc=2880 tso=2880 rc11=2880 blocked=224
#include "threads.h"

#include <plumb.h>
#include <stdbool.h>

#ifndef N
#define N 3
#endif

enum { SLOTS = 8, NEAR = 1 };

static atomic_int tickets, granted, slot[SLOTS];
static int count;

/* A round that ends with another wait changes nothing, so the last one is all that is of interest.
 */
static void wait_far(int ticket)
{
    for (;;) {
        int seen = atomic_load_explicit(&slot[ticket % SLOTS], memory_order_acquire);
        if (ticket - atomic_load_explicit(&granted, memory_order_acquire) <= NEAR)
            return;
#ifdef ASSUME
        plumb_assume(false);
#endif
        while (atomic_load_explicit(&slot[ticket % SLOTS], memory_order_acquire) == seen)
            ;
    }
}

static void lock(void)
{
    int ticket = atomic_fetch_add_explicit(&tickets, 1, memory_order_relaxed);
    int ahead = ticket - atomic_load_explicit(&granted, memory_order_acquire);
    if (ahead == 0)
        return;
    if (ahead > NEAR)
        wait_far(ticket);
#ifdef ASSUME
    plumb_assume(atomic_load_explicit(&granted, memory_order_acquire) == ticket);
#else
    while (atomic_load_explicit(&granted, memory_order_acquire) != ticket)
        ;
#endif
}

static void unlock(void)
{
    int next = atomic_load_explicit(&granted, memory_order_relaxed) + 1;
    atomic_store_explicit(&granted, next, memory_order_release);
    atomic_fetch_add_explicit(&slot[(next + NEAR) % SLOTS], 1, memory_order_acq_rel);
}

static void *work(void *unused)
{
    lock();
    count++;
    unlock();
    return unused;
}

int main(void)
{
    start_all(N, work);
    join_all(N);
    assert(count == N);
    return 0;
}
