// expect: pass
/* Main returns 0 while detached threads still run: a normal end. What atexit was given runs. */
#define _GNU_SOURCE
#include "../help.h"
#include <stdatomic.h>
#include <stdlib.h>

static atomic_int rounds;
static int registered;

static void *run(void *unused)
{
    for (;;)
        atomic_fetch_add(&rounds, 1);
    return unused;
}

static void at_exit(void)
{
    assert(registered == 1);
}

int main(void)
{
    registered = 1;
    assert(atexit(at_exit) == 0);
    assert(pthread_detach(start(run, NULL)) == 0);
    exit(0);
}
