// expect: crash
/* In one interleaving the pointer is taken away between the look and the use. */
#define _GNU_SOURCE
#include "../help.h"
#include <stdatomic.h>
#include <stdlib.h>

static int target;
static _Atomic(int *) pointer = &target;

static void *take_away(void *unused)
{
    atomic_store(&pointer, NULL);
    return unused;
}

static void write_to(int *at)
{
    *at = 5; // HERE
}

int main(void)
{
    pthread_t thread = start(take_away, NULL);
    int *seen = atomic_load(&pointer);
    if (seen)
        write_to(atomic_load(&pointer));
    finish(thread);
    return 0;
}
