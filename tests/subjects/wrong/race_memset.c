// expect: data-race
/* A thread clears a buffer of odd size with memset while main reads a byte in the middle. */
#define _GNU_SOURCE
#include "../help.h"
#include <string.h>

char buffer[37];

static void *clear(void *unused)
{
    memset(buffer, 0, 37); // HERE
    return unused;
}

int main(void)
{
    pthread_t thread = start(clear, NULL);
    char seen = buffer[19]; // HERE
    finish(thread);
    return seen;
}
