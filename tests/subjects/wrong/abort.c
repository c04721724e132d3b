// expect: crash
/* The program aborts in a thread. */
#define _GNU_SOURCE
#include "../help.h"
#include <stdlib.h>

static void *give_up(void *unused)
{
    if (!unused)
        abort(); // HERE
    return unused;
}

int main(void)
{
    elsewhere(give_up, NULL);
    return 0;
}
