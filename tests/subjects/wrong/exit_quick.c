// expect: exit
/* _exit with a failure, from a thread. */
#define _GNU_SOURCE
#include "../help.h"
#include <stdlib.h>
#include <unistd.h>

static void *leave(void *unused)
{
    _exit(2); // HERE
    return unused;
}

int main(void)
{
    elsewhere(leave, NULL);
    return 0;
}
