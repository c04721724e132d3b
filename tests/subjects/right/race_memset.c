// expect: pass
/* The buffer is cleared up to the byte that main reads, not further. */
#define _GNU_SOURCE
#include "../help.h"
#include <string.h>

char buffer[37];

static void *clear(void *unused)
{
    memset(buffer, 0, 19);
    return unused;
}

int main(void)
{
    pthread_t thread = start(clear, NULL);
    char seen = buffer[19];
    finish(thread);
    return seen;
}
