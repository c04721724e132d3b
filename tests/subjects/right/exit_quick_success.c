// expect: pass
/* quick_exit(0) runs what at_quick_exit was given, and is a normal end. */
#define _GNU_SOURCE
#include "../help.h"
#include <stdlib.h>

static int calls;
static void first(void)
{
    assert(++calls == 2);
}
static void second(void)
{
    assert(++calls == 1);
}
static void never(void)
{
    abort();
}

int main(void)
{
    assert(atexit(never) == 0);
    assert(at_quick_exit(first) == 0 && at_quick_exit(second) == 0);
    quick_exit(0);
}
