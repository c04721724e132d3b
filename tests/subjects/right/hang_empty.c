// expect: pass --hang-seconds 1
/* With an end. */
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
        spin();
    return NULL;
}

int main(void)
{
    int forever = 0;
    elsewhere(body, &forever);
    return 0;
}
