// expect: pass
/* Each thread has its own variable. */
#define _GNU_SOURCE
#include "../help.h"

int seen[2];

static void *note(void *argument)
{
    int me = *(int *)argument;
    seen[me & 1] = 1;
    return NULL;
}

int main(void)
{
    pthread_t threads[2];
    int own[2] = {0, 1}, i;
    for (i = 0; i < 2; i++)
        threads[i] = start(note, &own[i]);
    for (int j = 0; j < 2; j++)
        finish(threads[j]);
    return own[0];
}
