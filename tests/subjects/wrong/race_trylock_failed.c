// expect: data-race
/* The result of trylock is not looked at: the thread goes on without the lock. */
#define _GNU_SOURCE
#include "../help.h"

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
int shared;

static void *add(void *unused)
{
    int error = pthread_mutex_trylock(&mutex);
    if (error != EINVAL)
        shared++; // HERE
    if (error == 0)
        pthread_mutex_unlock(&mutex);
    return unused;
}

int main(void)
{
    pthread_t a = start(add, NULL), b = start(add, NULL);
    finish(a);
    finish(b);
    return 0;
}
