// expect: use-after-free
/* A library function reads a freed string. */
#define _GNU_SOURCE
#include "../help.h"
#include <stdlib.h>
#include <string.h>

static size_t length(const char *text)
{
    return strlen(text); // HERE
}

int main(void)
{
    char *text = launder(strdup("some text of a certain length")); // ALLOC
    free(text);                                                    // FREE
    size_t seen = length(launder(text));
    return seen == 12345;
}
