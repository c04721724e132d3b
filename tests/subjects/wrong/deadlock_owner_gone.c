// expect: deadlock
/* A thread ends with the mutex locked. */
#define _GNU_SOURCE
#include "../help.h"

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;

static void *leave(void *argument)
{
    pthread_mutex_lock(&mutex);
    if (*(int *)argument)
        return NULL;
    pthread_mutex_unlock(&mutex);
    return NULL;
}

int main(void)
{
    int early = 1;
    elsewhere(leave, &early);
    pthread_mutex_lock(&mutex); // HERE
    pthread_mutex_unlock(&mutex);
    return 0;
}
