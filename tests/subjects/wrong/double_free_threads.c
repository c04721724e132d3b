// expect: double-free
/* Both threads see a count of zero and free: the count is read apart from the subtraction. */
#define _GNU_SOURCE
#include "../help.h"
#include <stdatomic.h>
#include <stdlib.h>

static atomic_int references = 2;
static void *block;

static void *drop(void *unused)
{
    int left = atomic_fetch_sub(&references, 1) - 1;
    left = atomic_load(&references);
    if (left == 0)
        free(block); // HERE
    return unused;
}

int main(void)
{
    block = malloc(20);
    pthread_t a = start(drop, NULL), b = start(drop, NULL);
    finish(a);
    finish(b);
    return 0;
}
