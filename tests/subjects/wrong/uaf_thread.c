// expect: use-after-free
/* Main frees the argument of a thread that still uses it. */
#define _GNU_SOURCE
#include "../help.h"
#include <stdlib.h>
#include <string.h>

static void *use(void *argument)
{
    int *number = argument;
    (*number)++; // HERE
    return NULL;
}

int main(void)
{
    int *number = launder(malloc(sizeof *number)); // ALLOC
    *number = 1;
    pthread_t thread = start(use, number);
    free(number); // FREE
    finish(thread);
    return 0;
}
