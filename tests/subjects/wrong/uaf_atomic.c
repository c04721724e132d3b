// expect: use-after-free
/* An atomic access is no excuse: the counter is in a freed block. */
#define _GNU_SOURCE
#include "../help.h"
#include <stdatomic.h>
#include <stdlib.h>

static int read_it(atomic_int *count)
{
    return atomic_load(count); // HERE
}

int main(void)
{
    atomic_int *count = launder(malloc(sizeof *count)); // ALLOC
    atomic_init(count, 1);
    free(count); // FREE
    int seen = read_it(launder(count));
    return seen == 12345;
}
