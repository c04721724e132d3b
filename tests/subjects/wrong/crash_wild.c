// expect: crash
/* A pointer made of a number points nowhere. */
#define _GNU_SOURCE
#include "../help.h"
#include <stdlib.h>

static int value;

__attribute__((noinline)) static int read_at(int *address)
{
    address = launder(address);
    return *address; // HERE
}

int main(void)
{
    value = 1;
    return read_at(launder((void *)0x123456789000)) == 5;
}
