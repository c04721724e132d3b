// expect: crash
/* A place that cannot be reached is reached. */
#define _GNU_SOURCE
#include "../help.h"
#include <stdlib.h>

static int choose(int n)
{
    if (n == 1)
        return 5;
    __builtin_trap(); // HERE
}

int main(void)
{
    volatile int n = 2;
    return choose(n) != 5;
}
