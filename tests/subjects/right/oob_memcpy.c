// expect: pass
/* The shorter length is. */
#define _GNU_SOURCE
#include "../help.h"
#include <stdlib.h>
#include <string.h>

int main(void)
{
    char source[50] = "source";
    char *target = launder(malloc(40));
    size_t n = 40;
    memcpy(target, source, n);
    free(target);
    return 0;
}
