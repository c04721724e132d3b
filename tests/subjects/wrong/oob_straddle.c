// expect: out-of-bounds
/* An eight-byte write starts inside the block and ends outside. */
#define _GNU_SOURCE
#include "../help.h"
#include <stdlib.h>
#include <string.h>

int main(void)
{
    char *block = launder(malloc(12)); // ALLOC
    *(long *)launder(block + 8) = 1;   // HERE
    free(block);
    return 0;
}
