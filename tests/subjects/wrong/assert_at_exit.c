// expect: assertion
/* A handler of atexit finds the work undone. */
#define _GNU_SOURCE
#include "../help.h"
#include <stdlib.h>

static int done;

static void at_exit(void)
{
    assert(done == 1); // HERE
}

int main(void)
{
    assert(atexit(at_exit) == 0);
    done = 2;
    return 0;
}
