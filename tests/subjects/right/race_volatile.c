// expect: pass
/* Without that option volatile accesses count as relaxed atomics, as in much old code. */
#define _GNU_SOURCE
#include "../help.h"

volatile int flag;

static void *set(void *unused)
{
    flag = 1;
    return unused;
}

int main(void)
{
    pthread_t thread = start(set, NULL);
    int seen = flag;
    finish(thread);
    return seen > 1;
}
