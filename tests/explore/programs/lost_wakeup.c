/* A flag is set and signalled without the mutex: the signal may come between the look at the flag
 * and the wait, and nobody wakes. With the mutex held it cannot. */
// finding: sc=deadlock tso=deadlock rc11=deadlock
// finding: -DHELD sc=pass tso=pass rc11=pass
#include "threads.h"

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t changed = PTHREAD_COND_INITIALIZER;
static atomic_int flag;

static void *wait_for_it(void *unused)
{
    pthread_mutex_lock(&mutex);
    while (!atomic_load(&flag))
        pthread_cond_wait(&changed, &mutex);
    pthread_mutex_unlock(&mutex);
    return unused;
}

int main(void)
{
    start(0, wait_for_it);
#ifdef HELD
    pthread_mutex_lock(&mutex);
#endif
    atomic_store(&flag, 1);
    pthread_cond_signal(&changed);
#ifdef HELD
    pthread_mutex_unlock(&mutex);
#endif
    join_all(1);
    return 0;
}
