// expect: uninitialised-read
/* realloc keeps the old part; the new part is not initialised. */
#define _GNU_SOURCE
#include "../help.h"
#include <stdlib.h>
#include <string.h>

int main(void)
{
    char *text = calloc(1, 10);
    text = launder(realloc(text, 20)); // ALLOC
    char seen = text[15];              // HERE
    free(text);
    return seen == 77;
}
