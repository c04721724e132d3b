// expect: data-race
/* A volatile flag is no release: the data it announces is read in a race. */
#define _GNU_SOURCE
#include "../help.h"
#include <stdatomic.h>

volatile int flag;
int data;

static void *set(void *unused)
{
    data = 42; // HERE
    flag = 1;
    return unused;
}

int main(void)
{
    pthread_t thread = start(set, NULL);
    if (flag)
        assert(data == 42); // HERE
    finish(thread);
    return 0;
}
