// expect: data-race
/* The address of the loop variable is given to each thread; the loop goes on and changes it. */
#define _GNU_SOURCE
#include "../help.h"

int seen[2];

static void *note(void *argument)
{
    int me = *(int *)argument; // HERE
    seen[me & 1] = 1;
    return NULL;
}

int main(void)
{
    pthread_t threads[2];
    int own[2] = {0, 1}, i;
    for (i = 0; i < 2; i++) // HERE
        threads[i] = start(note, &i);
    for (int j = 0; j < 2; j++)
        finish(threads[j]);
    return own[0];
}
