// expect: deadlock
/* A function that locks is called with the lock held. */
#define _GNU_SOURCE
#include "../help.h"

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;

static void inner(void)
{
    pthread_mutex_lock(&mutex); // HERE
    pthread_mutex_unlock(&mutex);
}

int main(void)
{
    pthread_mutex_lock(&mutex);
    inner();
    pthread_mutex_unlock(&mutex);
    return 0;
}
