// SB with an assertion: one of the two loads sees a store. It fails as soon as stores are buffered.
// finding: sc=pass tso=assertion rc11=assertion
// finding: -DFENCE sc=pass tso=pass rc11=pass
#include "threads.h"

static atomic_int x, y;
static int seen[2];

static void *body(void *argument)
{
    int i = number_of(argument);
    atomic_store_explicit(i ? &y : &x, 1, memory_order_relaxed);
#ifdef FENCE
    atomic_thread_fence(memory_order_seq_cst);
#endif
    seen[i] = atomic_load_explicit(i ? &x : &y, memory_order_relaxed);
    return NULL;
}

int main(void)
{
    start_all(2, body);
    join_all(2);
    assert(seen[0] || seen[1]);
    return 0;
}
