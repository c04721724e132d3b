// expect: pass
/* Main waits for the thread before it reads what the thread wrote. */
#define _GNU_SOURCE
#include "../help.h"

int result;

static void *compute(void *unused)
{
    result = 42;
    return unused;
}

int main(void)
{
    pthread_t thread = start(compute, NULL);
    finish(thread);
    int seen = result;
    return seen > 42;
}
