// expect: invalid-free
/* A default that is not from the heap is freed like the others. */
#define _GNU_SOURCE
#include "../help.h"
#include <stdlib.h>
#include <string.h>

static char fallback[] = "default";

int main(void)
{
    char *name = launder(fallback);
    free(name); // HERE
    return 0;
}
