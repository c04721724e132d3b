// expect: data-race
/* Main reads what a thread writes without waiting for it; it waits only afterwards. */
#define _GNU_SOURCE
#include "../help.h"

int result;

static void *compute(void *unused)
{
    result = 42; // HERE
    return unused;
}

int main(void)
{
    pthread_t thread = start(compute, NULL);
    int seen = result; // HERE
    finish(thread);
    return seen > 42;
}
