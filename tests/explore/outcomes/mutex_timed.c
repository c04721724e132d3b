/* A time limit at a mutex that another thread holds across two steps. */
#include "outcome.h"

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static atomic_int flag, seen, status;

static void *holder(void *unused)
{
    pthread_mutex_lock(&mutex);
    atomic_store(&flag, 1);
    atomic_store(&flag, 2);
    pthread_mutex_unlock(&mutex);
    return unused;
}

static void *hasty(void *unused)
{
    struct timespec now;
    clock_gettime(CLOCK_REALTIME, &now);
    now.tv_sec++;
    int result = pthread_mutex_timedlock(&mutex, &now);
    atomic_store(&seen, atomic_load(&flag));
    if (result == 0)
        pthread_mutex_unlock(&mutex);
    atomic_store(&status, result == 0 ? 0 : 4);
    return unused;
}

int main(void)
{
    pthread_t a = start(holder, 0), b = start(hasty, 0);
    finish(a);
    finish(b);
    outcome(atomic_load(&seen) + atomic_load(&status));
    return 0;
}
