// expect: out-of-bounds
/* The length of the source, not of the target, is copied. */
#define _GNU_SOURCE
#include "../help.h"
#include <stdlib.h>
#include <string.h>

int main(void)
{
    char source[50] = "source";
    char *target = launder(malloc(40)); // ALLOC
    size_t n = sizeof source;
    memcpy(target, source, n); // HERE
    free(target);
    return 0;
}
