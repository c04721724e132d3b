// expect: out-of-bounds
/* strlen runs past a block without a terminating zero. */
#define _GNU_SOURCE
#include "../help.h"
#include <stdlib.h>
#include <string.h>

int main(void)
{
    char *text = launder(malloc(8)); // ALLOC
    memset(text, 'x', 8);
    size_t n = strlen(launder(text)); // HERE
    free(text);
    return n == 12345;
}
