// expect: assertion
/* A timed wait may time out however generous it is; the caller takes its success for granted. */
#define _GNU_SOURCE
#include "../help.h"

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;

static void *hold(void *unused)
{
    pthread_mutex_lock(&mutex);
    pthread_mutex_unlock(&mutex);
    return unused;
}

int main(void)
{
    pthread_t thread = start(hold, NULL);
    struct timespec later = in_ms(CLOCK_REALTIME, 10000);
    int error = pthread_mutex_timedlock(&mutex, &later);
    assert(error == 0); // HERE
    if (error == 0)
        pthread_mutex_unlock(&mutex);
    finish(thread);
    return 0;
}
