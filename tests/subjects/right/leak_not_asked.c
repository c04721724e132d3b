// expect: pass
/* Leaks are reported on request only. */
#define _GNU_SOURCE
#include "../help.h"
#include <stdlib.h>
#include <string.h>

void *only; /* not static: the optimiser must keep what is stored */

int main(void)
{
    only = malloc(100);
    only = NULL;
    return 0;
}
