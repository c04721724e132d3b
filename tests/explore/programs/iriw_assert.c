// IRIW with acquire loads: the readers disagree about the order of the stores, under rc11 only.
// finding: sc=pass tso=pass rc11=assertion
// finding: -DORDER=memory_order_seq_cst sc=pass tso=pass rc11=pass
#include "threads.h"

#ifndef ORDER
#define ORDER memory_order_acquire
#endif

static atomic_int x, y;
static int first[2], second[2];

static void *body(void *argument)
{
    int i = number_of(argument);
    if (i < 2) {
        atomic_store(i ? &y : &x, 1);
    } else {
        first[i - 2] = atomic_load_explicit(i == 2 ? &x : &y, ORDER);
        second[i - 2] = atomic_load_explicit(i == 2 ? &y : &x, ORDER);
    }
    return NULL;
}

int main(void)
{
    start_all(4, body);
    join_all(4);
    assert(!(first[0] && !second[0] && first[1] && !second[1]));
    return 0;
}
