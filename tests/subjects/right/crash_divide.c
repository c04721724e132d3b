// expect: pass
/* An average over something. */
#define _GNU_SOURCE
#include "../help.h"
#include <stdlib.h>

static int average(int sum, int count)
{
    return sum / count;
}

static void *body(void *count)
{
    volatile int result = average(10, *(volatile int *)count);
    (void)result;
    return NULL;
}

int main(void)
{
    int count = 2;
    elsewhere(body, &count);
    return 0;
}
