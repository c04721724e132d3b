// expect: uninitialised-read
/* The block is handed over before it is filled. */
#define _GNU_SOURCE
#include "../help.h"
#include <stdatomic.h>
#include <stdlib.h>

static _Atomic(int *) box;

static void *take(void *unused)
{
    int *block = atomic_load(&box);
    int seen = block ? *block : 0; // HERE
    assert(seen == 0);
    return unused;
}

int main(void)
{
    pthread_t thread = start(take, NULL);
    int *block = launder(malloc(sizeof *block)); // ALLOC
    atomic_store(&box, block);
    finish(thread);
    *block = 0;
    free(block);
    return 0;
}
