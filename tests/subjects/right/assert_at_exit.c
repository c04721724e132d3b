// expect: pass
/* It finds it done. */
#define _GNU_SOURCE
#include "../help.h"
#include <stdlib.h>

static int done;

static void at_exit(void)
{
    assert(done == 1);
}

int main(void)
{
    assert(atexit(at_exit) == 0);
    done = 1;
    return 0;
}
