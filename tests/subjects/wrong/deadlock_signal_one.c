// expect: deadlock
/* Producers and consumers wait on one condition; signal may wake the wrong kind. */
#define _GNU_SOURCE
#include "../help.h"

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t changed = PTHREAD_COND_INITIALIZER;
static int full;

static void *put(void *unused)
{
    pthread_mutex_lock(&mutex);
    while (full)
        pthread_cond_wait(&changed, &mutex);
    full = 1;
    pthread_cond_signal(&changed);
    pthread_mutex_unlock(&mutex);
    return unused;
}

static void *take(void *unused)
{
    pthread_mutex_lock(&mutex);
    while (!full)
        pthread_cond_wait(&changed, &mutex);
    full = 0;
    pthread_cond_signal(&changed);
    pthread_mutex_unlock(&mutex);
    return unused;
}

int main(void)
{
    pthread_t threads[6] = {start(take, NULL), start(take, NULL), start(take, NULL),
                            start(put, NULL),  start(put, NULL),  start(put, NULL)};
    for (size_t i = 0; i < COUNT(threads); i++)
        finish(threads[i]); // HERE
    return 0;
}
