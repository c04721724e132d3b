/* A timed wait against a signal, with and without a second waiter that is not timed. */
#include "outcome.h"

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t cond = PTHREAD_COND_INITIALIZER;
static int ready, timed_out, looks;

static void *hasty(void *unused)
{
    struct timespec now;
    clock_gettime(CLOCK_REALTIME, &now);
    now.tv_sec++;
    pthread_mutex_lock(&mutex);
    while (!ready && !timed_out) {
        looks++;
        timed_out = pthread_cond_timedwait(&cond, &mutex, &now) == ETIMEDOUT;
    }
    pthread_mutex_unlock(&mutex);
    return unused;
}

static void *patient(void *unused)
{
    pthread_mutex_lock(&mutex);
    while (!ready)
        pthread_cond_wait(&cond, &mutex);
    pthread_mutex_unlock(&mutex);
    return unused;
}

int main(void)
{
    pthread_t a = start(hasty, 0), b = start(patient, 0);
    pthread_mutex_lock(&mutex);
    ready = 1;
    pthread_mutex_unlock(&mutex);
    pthread_cond_broadcast(&cond);
    finish(a);
    finish(b);
    outcome(timed_out + 2 * looks);
    return 0;
}
