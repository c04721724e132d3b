// expect: pass
/* A pointer points to something. */
#define _GNU_SOURCE
#include "../help.h"
#include <stdlib.h>

static int value;

__attribute__((noinline)) static int read_at(int *address)
{
    address = launder(address);
    return *address;
}

int main(void)
{
    value = 1;
    return read_at(launder(&value)) == 5;
}
