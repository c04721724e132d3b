// expect: pass
/* Two threads add to a counter under a mutex. */
#define _GNU_SOURCE
#include "../help.h"

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
int counter;

static void *add(void *unused)
{
    pthread_mutex_lock(&mutex);
    counter++;
    pthread_mutex_unlock(&mutex);
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
