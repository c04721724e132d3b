// expect: stack-overflow
/* A recursion in a thread has no end. */
#define _GNU_SOURCE
#include "../help.h"

static volatile int limit = -1;

__attribute__((noinline)) static int deeper(int n)
{
    volatile char frame[128];
    frame[0] = (char)n;
    if (n == limit)
        return 0;
    return deeper(n + 1) + frame[0]; // HERE
}

static void *body(void *unused)
{
    volatile int result = deeper(0);
    (void)result;
    return unused;
}

int main(void)
{
    elsewhere(body, NULL);
    return 0;
}
