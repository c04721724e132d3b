// Peterson's lock for two threads, tries bounded: a thread that has not got in after TRIES looks
// gives up. Everything seq_cst, so every model has the executions of sc; WEAK
// is release and acquire only.
// counts: -DTRIES=1 sc=14 tso=14 rc11=14
// counts: -DTRIES=2 sc=28 tso=28 rc11=28
// counts: -DTRIES=3 sc=46 tso=46 rc11=46
// finding: -DWEAK sc=pass tso=data-race rc11=data-race
#include "threads.h"

#ifndef TRIES
#define TRIES 2
#endif

#ifdef WEAK
enum { LOAD = memory_order_acquire, STORE = memory_order_release };
#else
enum { LOAD = memory_order_seq_cst, STORE = memory_order_seq_cst };
#endif

static atomic_int flag[2], turn;
static int count;

static int enter(int i)
{
    atomic_store_explicit(&flag[i], 1, STORE);
    atomic_store_explicit(&turn, 1 - i, STORE);
    for (int k = 0; k < TRIES; k++)
        if (!atomic_load_explicit(&flag[1 - i], LOAD) || atomic_load_explicit(&turn, LOAD) == i)
            return 1;
    return 0;
}

static void *body(void *argument)
{
    int i = number_of(argument);
    if (enter(i))
        count++;
    atomic_store_explicit(&flag[i], 0, STORE);
    return NULL;
}

int main(void)
{
    start_all(2, body);
    join_all(2);
    assert(count <= 2);
    assert(atomic_load(&turn) <= 1); /* or clang makes a local of turn: one function uses it */
    return 0;
}
