// expect: pass --leaks
/* It frees it on every path. */
#define _GNU_SOURCE
#include "../help.h"
#include <stdatomic.h>
#include <stdlib.h>

static atomic_int cancelled;

static void *work(void *unused)
{
    char *buffer = launder(malloc(64));
    buffer[0] = 1;
    if (atomic_load(&cancelled))
        buffer[1] = 1;
    free(buffer);
    return unused;
}

int main(void)
{
    pthread_t thread = start(work, NULL);
    atomic_store(&cancelled, 1);
    finish(thread);
    return 0;
}
