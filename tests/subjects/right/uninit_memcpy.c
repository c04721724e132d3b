// expect: pass
/* The part that is used was written. */
#define _GNU_SOURCE
#include "../help.h"
#include <stdlib.h>
#include <string.h>

int main(void)
{
    char *from = launder(malloc(64)), *to = launder(malloc(64));
    memset(from, 1, 32);
    memcpy(to, from, 64);
    char seen = ((char *)launder(to))[31];
    free(from);
    free(to);
    return seen == 77;
}
