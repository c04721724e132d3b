// main returns without joining: the thread may have run before that, so its assertion can fail.
// READ: main's own load may see the thread's store.
// finding: sc=assertion tso=assertion rc11=assertion
// finding: -DREAD sc=assertion tso=assertion rc11=assertion
#include "threads.h"

static atomic_int x;

static void *body(void *unused)
{
    atomic_store(&x, 1);
#ifndef READ
    assert(atomic_load(&x) == 0);
#endif
    return unused;
}

int main(void)
{
    start(0, body);
#ifdef READ
    assert(atomic_load(&x) == 0);
#endif
    return 0;
}
