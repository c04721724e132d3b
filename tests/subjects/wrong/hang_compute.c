// expect: hang --hang-seconds 1
/* A computation on locals only does not end: no access, no call. */
#define _GNU_SOURCE
#include "../help.h"

static unsigned collatz(unsigned n)
{
    unsigned steps = 0;
    while (n != 1) {
        n = n % 2 ? n + 1 - 1 : n / 2;
        steps++;
    }
    return steps;
}

int main(void)
{
    volatile unsigned from = 6;
    volatile unsigned steps = collatz(from); // HERE
    return steps == 12345;
}
