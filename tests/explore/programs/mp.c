// MP, message passing: data, then a flag; the reader looks at the flag, then at the data. Only
// rc11 lets relaxed accesses see the flag without the data; release and acquire forbid it.
// counts: sc=3 tso=3 rc11=4
// counts: -DSYNC sc=3 tso=3 rc11=3
#include "threads.h"

#ifdef SYNC
enum { STORE = memory_order_release, LOAD = memory_order_acquire };
#else
enum { STORE = memory_order_relaxed, LOAD = memory_order_relaxed };
#endif

static atomic_int data, flag;

static void *body(void *argument)
{
    if (number_of(argument) == 0) {
        atomic_store_explicit(&data, 1, memory_order_relaxed);
        atomic_store_explicit(&flag, 1, STORE);
    } else {
        (void)atomic_load_explicit(&flag, LOAD);
        (void)atomic_load_explicit(&data, memory_order_relaxed);
    }
    return NULL;
}

int main(void)
{
    start_all(2, body);
    join_all(2);
    return 0;
}
