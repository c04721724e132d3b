// expect: double-free
/* An error path frees what the normal path frees again. */
#define _GNU_SOURCE
#include "../help.h"
#include <stdlib.h>
#include <string.h>

static void clean(void *block)
{
    free(block); // FREE
}

static void again(void *block)
{
    free(block); // HERE
}

int main(void)
{
    char *block = launder(malloc(10)); // ALLOC
    clean(block);
    again(launder(block));
    return 0;
}
