// expect: crash
/* An average over nothing. */
#define _GNU_SOURCE
#include "../help.h"
#include <stdlib.h>

static int average(int sum, int count)
{
    return sum / count; // HERE
}

static void *body(void *count)
{
    volatile int result = average(10, *(volatile int *)count);
    (void)result;
    return NULL;
}

int main(void)
{
    int count = 0;
    elsewhere(body, &count);
    return 0;
}
