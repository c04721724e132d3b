// expect: pass --races=off
/* The counter raced for; with --races=off nobody looks. */
#define _GNU_SOURCE
#include "../help.h"

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
int counter;

static void *add(void *unused)
{
    counter++;
    return unused;
}

int main(void)
{
    pthread_t a = start(add, NULL), b = start(add, NULL);
    finish(a);
    finish(b);
    pthread_mutex_destroy(&mutex);
    return 0;
}
