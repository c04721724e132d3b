// expect: pass --leaks
/* The block is freed before. */
#define _GNU_SOURCE
#include "../help.h"
#include <stdlib.h>
#include <string.h>

void *only; /* not static: the optimiser must keep what is stored */

int main(void)
{
    only = malloc(100);
    free(only);
    only = NULL;
    return 0;
}
