// expect: pass --hang-seconds 1
/* With an end. */
#define _GNU_SOURCE
#include "../help.h"
#include <stdlib.h>

static long count;

__attribute__((noinline)) static void spin(const int *forever)
{
    while (*forever) {
        free(malloc(8));
        count++;
    }
}

static void *body(void *argument)
{
    spin(argument);
    return NULL;
}

int main(void)
{
    int forever = 0;
    elsewhere(body, &forever);
    return 0;
}
