// expect: pass
/* One read-modify-write. */
#define _GNU_SOURCE
#include "../help.h"
#include <stdatomic.h>

static atomic_int counter;

static void *add(void *unused)
{
    atomic_fetch_add(&counter, 1);
    return unused;
}

int main(void)
{
    pthread_t a = start(add, NULL), b = start(add, NULL);
    finish(a);
    finish(b);
    assert(atomic_load(&counter) == 2);
    return 0;
}
