// expect: invalid-free
/* realloc of a pointer that is not the start of a block. */
#define _GNU_SOURCE
#include "../help.h"
#include <stdlib.h>
#include <string.h>

int main(void)
{
    char *block = malloc(32);
    block = realloc(launder(block + 16), 64); // HERE
    free(block);
    return 0;
}
