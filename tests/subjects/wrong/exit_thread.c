// expect: exit
/* A thread calls exit: the others are cut off wherever they are. */
#define _GNU_SOURCE
#include "../help.h"
#include <stdlib.h>

static void *leave(void *unused)
{
    if (!unused)
        exit(0); // HERE
    return unused;
}

int main(void)
{
    elsewhere(leave, NULL);
    return 0;
}
