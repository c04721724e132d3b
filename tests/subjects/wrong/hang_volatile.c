// expect: hang --steps 20000
/* A spin on a volatile that changes once and never back. */
#define _GNU_SOURCE
#include "../help.h"

static volatile int flag;

static void *set(void *value)
{
    flag = *(int *)value;
    return NULL;
}

static void wait_flag(void)
{
    while (flag != 2) // HERE
        ;
}

int main(void)
{
    int value = 1;
    pthread_t thread = start(set, &value);
    wait_flag();
    finish(thread);
    return 0;
}
