// expect: use-after-free
/* The block is written after it was freed, and given out again in between or not. */
#define _GNU_SOURCE
#include "../help.h"
#include <stdlib.h>
#include <string.h>

static void drop(char *block)
{
    free(block); // FREE
}

static void fill(char *block)
{
    memset(block, 1, 30); // HERE
}

int main(void)
{
    char *block = launder(malloc(30)); // ALLOC
    drop(block);
    fill(launder(block));
    return 0;
}
