// expect: pass
/* The lock is recursive. */
#define _GNU_SOURCE
#include "../help.h"

static pthread_mutex_t mutex = PTHREAD_RECURSIVE_MUTEX_INITIALIZER_NP;

static void inner(void)
{
    pthread_mutex_lock(&mutex);
    pthread_mutex_unlock(&mutex);
}

int main(void)
{
    pthread_mutex_lock(&mutex);
    inner();
    pthread_mutex_unlock(&mutex);
    return 0;
}
