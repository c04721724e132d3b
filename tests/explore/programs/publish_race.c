// A plain payload published by a relaxed flag. What happens before what follows the declared orders
// under every model, so this is a race under each; release and acquire put it right.
// finding: sc=data-race tso=data-race rc11=data-race
// finding: -DSYNC sc=pass tso=pass rc11=pass
#include "threads.h"

#ifdef SYNC
enum { STORE = memory_order_release, LOAD = memory_order_acquire };
#else
enum { STORE = memory_order_relaxed, LOAD = memory_order_relaxed };
#endif

static int data;
static atomic_int flag;

static void *body(void *argument)
{
    if (number_of(argument) == 0) {
        data = 1;
        atomic_store_explicit(&flag, 1, STORE);
    } else if (atomic_load_explicit(&flag, LOAD)) {
        assert(data == 1);
    }
    return NULL;
}

int main(void)
{
    start_all(2, body);
    join_all(2);
    return 0;
}
