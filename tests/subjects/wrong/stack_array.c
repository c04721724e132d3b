// expect: stack-overflow
/*
 * One array is larger than the stack of a thread; its far end is touched first, beyond the
 * guard page: where it is declared, if it gets a first value there, or where it is used.
 */
#define _GNU_SOURCE
#include "../help.h"
#include <string.h>

__attribute__((noinline)) static char fill(char *bytes, size_t n)
{
    memset(bytes, 1, n);
    return bytes[n / 2];
}

__attribute__((noinline)) static int large(void)
{
    char bytes[1 << 20];
    return fill(bytes, sizeof bytes);
}

static void *body(void *unused)
{
    volatile int result = large(); // HERE
    (void)result;
    return unused;
}

int main(void)
{
    elsewhere(body, NULL);
    return 0;
}
