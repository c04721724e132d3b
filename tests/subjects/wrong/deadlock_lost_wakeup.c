// expect: deadlock
/* The flag is looked at outside the mutex; the signal may come before the wait. */
#define _GNU_SOURCE
#include "../help.h"
#include <stdatomic.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t condition = PTHREAD_COND_INITIALIZER;
static atomic_int ready;

static void *wait_ready(void *unused)
{
    if (!atomic_load(&ready)) {
        pthread_mutex_lock(&mutex);
        pthread_cond_wait(&condition, &mutex); // HERE
        pthread_mutex_unlock(&mutex);
    }
    return unused;
}

int main(void)
{
    pthread_t thread = start(wait_ready, NULL);
    pthread_mutex_lock(&mutex);
    atomic_store(&ready, 1);
    pthread_cond_signal(&condition);
    pthread_mutex_unlock(&mutex);
    finish(thread);
    return 0;
}
