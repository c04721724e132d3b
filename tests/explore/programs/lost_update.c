// A counter that is loaded and stored instead of added to: an update is lost under every model.
// finding: sc=assertion tso=assertion rc11=assertion
#include "threads.h"

static atomic_int count;

static void *body(void *unused)
{
    int old = atomic_load(&count);
    atomic_store(&count, old + 1);
    return unused;
}

int main(void)
{
    start_all(2, body);
    join_all(2);
    assert(atomic_load(&count) == 2);
    return 0;
}
