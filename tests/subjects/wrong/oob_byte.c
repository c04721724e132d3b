// expect: out-of-bounds
/* A block of 13 bytes has no 14th, whatever the allocator rounds up to. */
#define _GNU_SOURCE
#include "../help.h"
#include <stdlib.h>
#include <string.h>

int main(void)
{
    char *text = launder(malloc(13)); // ALLOC
    text[13] = 0;                     // HERE
    free(text);
    return 0;
}
