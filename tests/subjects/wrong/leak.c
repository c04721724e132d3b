// expect: leak --leaks
/* The only pointer to a block is overwritten. */
#define _GNU_SOURCE
#include "../help.h"
#include <stdlib.h>
#include <string.h>

void *only; /* not static: the optimiser must keep what is stored */

int main(void)
{
    only = malloc(100); // HERE
    only = NULL;
    return 0;
}
