// LB, load buffering: each thread loads one location, then stores to the other. No model here lets
// both loads see the other's store: rc11 forbids cycles of po and rf.
// counts: sc=3 tso=3 rc11=3
#include "threads.h"

static atomic_int x, y;

static void *body(void *argument)
{
    int i = number_of(argument);
    (void)atomic_load_explicit(i ? &y : &x, memory_order_relaxed);
    atomic_store_explicit(i ? &x : &y, 1, memory_order_relaxed);
    return NULL;
}

int main(void)
{
    start_all(2, body);
    join_all(2);
    return 0;
}
