// expect: data-race
/*
 * The writer stores with plain assignment, the reader loads atomically: one atomic side is not
 * enough.
 */
#define _GNU_SOURCE
#include "../help.h"

int flag;

static void *set(void *unused)
{
    flag = 1; // HERE
    return unused;
}

int main(void)
{
    pthread_t thread = start(set, NULL);
    int seen = __atomic_load_n(&flag, __ATOMIC_SEQ_CST); // HERE
    finish(thread);
    return seen > 1;
}
