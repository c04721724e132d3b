// expect: pass
/* The copy is made after the last byte was written. */
#define _GNU_SOURCE
#include "../help.h"
#include <string.h>

char message[40], copy[40];

static void *take(void *unused)
{
    memcpy(copy, message, sizeof copy);
    return unused;
}

int main(void)
{
    message[39] = 1;
    pthread_t thread = start(take, NULL);
    finish(thread);
    return 0;
}
