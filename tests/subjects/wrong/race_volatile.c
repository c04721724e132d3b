// expect: data-race --volatile=plain
/*
 * By the letter of the standard volatile does not order anything; --volatile=plain holds
 * programs to it.
 */
#define _GNU_SOURCE
#include "../help.h"

volatile int flag;

static void *set(void *unused)
{
    flag = 1; // HERE
    return unused;
}

int main(void)
{
    pthread_t thread = start(set, NULL);
    int seen = flag; // HERE
    finish(thread);
    return seen > 1;
}
