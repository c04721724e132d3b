// IRIW, independent reads of independent writes: two readers may disagree on the order of two
// stores under rc11 unless everything is seq_cst; tso has one order of stores.
// counts: sc=15 tso=15 rc11=16
// counts: -DORDER=memory_order_acquire sc=15 tso=15 rc11=16
// counts: -DORDER=memory_order_seq_cst sc=15 tso=15 rc11=15
#include "threads.h"

#ifndef ORDER
#define ORDER memory_order_relaxed
#endif

static atomic_int x, y;

static void *body(void *argument)
{
    int i = number_of(argument);
    if (i < 2) {
        atomic_store(i ? &y : &x, 1);
    } else {
        (void)atomic_load_explicit(i == 2 ? &x : &y, ORDER);
        (void)atomic_load_explicit(i == 2 ? &y : &x, ORDER);
    }
    return NULL;
}

int main(void)
{
    start_all(4, body);
    join_all(4);
    return 0;
}
