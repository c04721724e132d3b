// expect: pass --steps 20000
/* It changes. */
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
    while (flag != 2)
        ;
}

int main(void)
{
    int value = 2;
    pthread_t thread = start(set, &value);
    wait_flag();
    finish(thread);
    return 0;
}
