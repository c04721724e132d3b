// 2+2W: two threads store to two locations in opposite orders. rc11 lets both first stores be the
// last ones in coherence order.
// counts: sc=3 tso=3 rc11=4
// counts: -DORDER=memory_order_seq_cst sc=3 tso=3 rc11=3
#include "threads.h"

#ifndef ORDER
#define ORDER memory_order_relaxed
#endif

static atomic_int x, y;

static void *body(void *argument)
{
    int i = number_of(argument);
    atomic_store_explicit(i ? &y : &x, 1, ORDER);
    atomic_store_explicit(i ? &x : &y, 2, ORDER);
    return NULL;
}

int main(void)
{
    start_all(2, body);
    join_all(2);
    return 0;
}
