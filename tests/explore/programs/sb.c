// SB, store buffering: each thread stores to one location and loads the other. Both may read 0
// under tso; seq_cst accesses (-DORDER=memory_order_seq_cst) or fences (-DFENCE) forbid it again.
// counts: sc=3 tso=4 rc11=4
// counts: -DORDER=memory_order_seq_cst sc=3 tso=3 rc11=3
// counts: -DFENCE sc=3 tso=3 rc11=3
#include "threads.h"

#ifndef ORDER
#define ORDER memory_order_relaxed
#endif

static atomic_int x, y;

static void *body(void *argument)
{
    int i = number_of(argument);
    atomic_store_explicit(i ? &y : &x, 1, ORDER);
#ifdef FENCE
    atomic_thread_fence(memory_order_seq_cst);
#endif
    (void)atomic_load_explicit(i ? &x : &y, ORDER);
    return NULL;
}

int main(void)
{
    start_all(2, body);
    join_all(2);
    return 0;
}
