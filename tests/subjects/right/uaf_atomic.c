// expect: pass
/* It is read first. */
#define _GNU_SOURCE
#include "../help.h"
#include <stdatomic.h>
#include <stdlib.h>

static int read_it(atomic_int *count)
{
    return atomic_load(count);
}

int main(void)
{
    atomic_int *count = launder(malloc(sizeof *count));
    atomic_init(count, 1);
    int seen = read_it(launder(count));
    free(count);
    return seen == 12345;
}
