// expect: pass
/* It is not. */
#define _GNU_SOURCE
#include "../help.h"
#include <stdlib.h>

static int choose(int n)
{
    if (n == 1)
        return 5;
    __builtin_trap();
}

int main(void)
{
    volatile int n = 1;
    return choose(n) != 5;
}
