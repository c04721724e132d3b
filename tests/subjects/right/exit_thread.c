// expect: pass
/* It ends itself only. */
#define _GNU_SOURCE
#include "../help.h"
#include <stdlib.h>

static void *leave(void *unused)
{
    if (!unused)
        pthread_exit(NULL);
    return unused;
}

int main(void)
{
    elsewhere(leave, NULL);
    return 0;
}
