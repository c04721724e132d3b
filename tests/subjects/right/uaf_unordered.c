// expect: pass
/* The flag is released and acquired. */
#define _GNU_SOURCE
#include "../help.h"
#include <stdatomic.h>
#include <stdlib.h>

static int *block;
static atomic_int done;

static void *use(void *unused)
{
    int seen = *block;
    assert(seen == 5);
    atomic_store_explicit(&done, 1, memory_order_release);
    return unused;
}

int main(void)
{
    block = launder(malloc(sizeof *block));
    *block = 5;
    pthread_t thread = start(use, NULL);
    int freed = 0;
    if (atomic_load_explicit(&done, memory_order_acquire)) {
        free(block);
        freed = 1;
    }
    finish(thread);
    if (!freed)
        free(block);
    return 0;
}
