// expect: assertion
/* Load and store apart: each is atomic, the sum is not. */
#define _GNU_SOURCE
#include "../help.h"
#include <stdatomic.h>

static atomic_int counter;

static void *add(void *unused)
{
    atomic_store(&counter, atomic_load(&counter) + 1);
    return unused;
}

int main(void)
{
    pthread_t a = start(add, NULL), b = start(add, NULL);
    finish(a);
    finish(b);
    assert(atomic_load(&counter) == 2); // HERE
    return 0;
}
