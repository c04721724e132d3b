// expect: out-of-bounds
/* The terminating zero does not fit. */
#define _GNU_SOURCE
#include "../help.h"
#include <stdlib.h>
#include <string.h>

int main(void)
{
    const char *text = launder("eight by");
    char *copy = launder(malloc(strlen(text))); // ALLOC
    strcpy(copy, text);                         // HERE
    free(copy);
    return 0;
}
