// expect: hang --hang-seconds 1
/* Plain accesses and allocations without end: traced, most of the time is spent in the runtime. */
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
    spin(argument); // HERE
    return NULL;
}

int main(void)
{
    int forever = 1;
    elsewhere(body, &forever);
    return 0;
}
