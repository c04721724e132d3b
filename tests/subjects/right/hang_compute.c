// expect: pass --hang-seconds 1
/* It ends. */
#define _GNU_SOURCE
#include "../help.h"

static unsigned collatz(unsigned n)
{
    unsigned steps = 0;
    while (n != 1) {
        n = n % 2 ? 3 * n + 1 : n / 2;
        steps++;
    }
    return steps;
}

int main(void)
{
    volatile unsigned from = 6;
    volatile unsigned steps = collatz(from);
    return steps == 12345;
}
