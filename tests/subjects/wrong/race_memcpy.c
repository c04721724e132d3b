// expect: data-race
/* A thread copies a message with memcpy while main writes the last byte of it. */
#define _GNU_SOURCE
#include "../help.h"
#include <string.h>

char message[40], copy[40];

static void *take(void *unused)
{
    memcpy(copy, message, sizeof copy); // HERE
    return unused;
}

int main(void)
{
    pthread_t thread = start(take, NULL);
    message[39] = 1; // HERE
    finish(thread);
    return 0;
}
