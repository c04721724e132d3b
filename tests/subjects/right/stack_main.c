// expect: pass
/* It has one. */
#define _GNU_SOURCE
#include "../help.h"

static volatile int limit = 100;

__attribute__((noinline)) static int deeper(int n)
{
    volatile char frame[128];
    frame[0] = (char)n;
    if (n == limit)
        return 0;
    return deeper(n + 1) + frame[0];
}

int main(void)
{
    volatile int result = deeper(0);
    return result == 5;
}
