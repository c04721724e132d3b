// expect: pass
/* realloc of the start. */
#define _GNU_SOURCE
#include "../help.h"
#include <stdlib.h>
#include <string.h>

int main(void)
{
    char *block = malloc(32);
    block = realloc(launder(block), 64);
    free(block);
    return 0;
}
