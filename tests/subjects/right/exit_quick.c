// expect: pass
/* _exit with success, from main. */
#define _GNU_SOURCE
#include "../help.h"
#include <stdlib.h>
#include <unistd.h>

static void *nothing(void *unused)
{
    return unused;
}

static void *leave(void *unused)
{
    _exit(2);
    return unused;
}

int main(void)
{
    pthread_t thread = start(pthread_self() ? nothing : leave, NULL);
    pthread_detach(thread);
    _exit(0);
}
