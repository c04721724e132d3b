// expect: pass
/* It returns success. */
#define _GNU_SOURCE
#include "../help.h"
#include <stdatomic.h>
#include <stdlib.h>

static atomic_int set;

static void *setter(void *unused)
{
    atomic_store(&set, 1);
    return unused;
}

int main(void)
{
    pthread_t thread = start(setter, NULL);
    int early = !atomic_load(&set);
    finish(thread);
    return early ? 0 : 0;
}
