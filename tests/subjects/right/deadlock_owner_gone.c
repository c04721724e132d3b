// expect: pass
/* It unlocks first. */
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
    int early = 0;
    elsewhere(leave, &early);
    pthread_mutex_lock(&mutex);
    pthread_mutex_unlock(&mutex);
    return 0;
}
