/*
 * A counter in stripes: each thread counts in a stripe of its own, a read adds them up. It does not
 * see all stripes at one moment. It is linearizable nevertheless, because the counter only ever
 * goes up by one: the sum lies between the count when the read began and the count when it ended,
 * and the count passes through every number between. The accesses are seq_cst: else two threads
 * that count and then read may both miss the other's (store buffering).
 */
#include <plumb.h>
#include <stdatomic.h>

#ifndef ORDER
#define ORDER memory_order_seq_cst
#endif

enum { STRIPES = 4 };

static atomic_int stripe[STRIPES], registered;
static _Thread_local atomic_int *mine;

static void change(int by)
{
    if (!mine)
        mine = &stripe[atomic_fetch_add_explicit(&registered, 1, memory_order_relaxed) % STRIPES];
    atomic_fetch_add_explicit(mine, by, ORDER);
}

static void inc(void)
{
    change(1);
}

static int get(void)
{
    int sum = 0;
    for (int i = 0; i < STRIPES; i++)
        sum += atomic_load_explicit(&stripe[i], ORDER);
    return sum;
}

PLUMB_CALL(inc())
PLUMB_CALL(get())
