// expect: uninitialised-read
/* A block given out a second time holds old bytes; they are not its contents. */
#define _GNU_SOURCE
#include "../help.h"
#include <stdlib.h>
#include <string.h>

int main(void)
{
    int *old = launder(malloc(48));
    memset(old, 7, 48);
    free(old);
    int *fresh = launder(malloc(48)); // ALLOC
    int seen = fresh[3];              // HERE
    free(fresh);
    return seen == 12345;
}
