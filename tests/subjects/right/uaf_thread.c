// expect: pass
/* Main waits for the thread first. */
#define _GNU_SOURCE
#include "../help.h"
#include <stdlib.h>
#include <string.h>

static void *use(void *argument)
{
    int *number = argument;
    (*number)++;
    return NULL;
}

int main(void)
{
    int *number = launder(malloc(sizeof *number));
    *number = 1;
    pthread_t thread = start(use, number);
    finish(thread);
    free(number);
    return 0;
}
