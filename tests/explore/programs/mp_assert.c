// MP with relaxed accesses and an assertion: the flag without the data, only under rc11.
// finding: sc=pass tso=pass rc11=assertion
// finding: -DSYNC sc=pass tso=pass rc11=pass
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
    } else if (atomic_load_explicit(&flag, LOAD)) {
        assert(atomic_load_explicit(&data, memory_order_relaxed));
    }
    return NULL;
}

int main(void)
{
    start_all(2, body);
    join_all(2);
    return 0;
}
