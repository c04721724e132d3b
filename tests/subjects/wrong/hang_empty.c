// expect: hang --hang-seconds 1
/* A loop without any access, without end. */
#define _GNU_SOURCE
#include "../help.h"

__attribute__((noinline)) static void spin(void)
{
    while (1)
        ;
}

static void *body(void *argument)
{
    if (*(volatile int *)argument)
        spin(); // HERE
    return NULL;
}

int main(void)
{
    int forever = 1;
    elsewhere(body, &forever);
    return 0;
}
