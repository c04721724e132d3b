// expect: pass
/* It goes on only with the lock. */
#define _GNU_SOURCE
#include "../help.h"

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
int shared;

static void *add(void *unused)
{
    int error = pthread_mutex_trylock(&mutex);
    if (error == 0)
        shared++;
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
