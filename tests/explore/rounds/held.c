/* Some threads spin for ever at a lock that is a flag, and write back what they find there; others
 * stand still elsewhere, or go on and end. */
// finding: -DABBA sc=livelock tso=livelock rc11=livelock
// finding: -DABBA -DTESTED sc=livelock tso=livelock rc11=livelock
// finding: -DRELOCKED sc=livelock tso=livelock rc11=livelock
// finding: -DSEMAPHORE sc=livelock tso=livelock rc11=livelock
// finding: -DCOMPARES sc=livelock tso=livelock rc11=livelock
// finding: -DSTORES sc=livelock tso=livelock rc11=livelock
#include <semaphore.h>

#include "rounds.h"

static atomic_int flag, beside;
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static sem_t semaphore;

static void take(void)
{
#ifdef TESTED
    while (atomic_load(&flag) || atomic_exchange(&flag, 1))
        ;
#else
    while (atomic_exchange(&flag, 1))
        ;
#endif
}

static void *first(void *unused)
{
#ifdef ABBA /* the flag, then the mutex; the other takes them the other way round */
    take();
    pthread_mutex_lock(&mutex);
    pthread_mutex_unlock(&mutex);
    atomic_store(&flag, 0);
#elif defined RELOCKED
    pthread_mutex_lock(&mutex);
    pthread_mutex_lock(&mutex);
#else
    take();
    atomic_fetch_add(&beside, 1);
    take();
#endif
    return unused;
}

static void *second(void *unused)
{
#if defined ABBA
    pthread_mutex_lock(&mutex);
    take();
    atomic_store(&flag, 0);
    pthread_mutex_unlock(&mutex);
#elif defined RELOCKED
    take();
    take();
#elif defined COMPARES /* what the other writes back is not what it finds */
    for (int zero = 0; !atomic_compare_exchange_weak(&flag, &zero, 1); zero = 0)
        ;
    atomic_store(&flag, 0);
#elif defined SEMAPHORE
    sem_wait(&semaphore);
#else
    atomic_store(&beside, 1);
    atomic_store(&flag, 1);
    atomic_store(&beside, 2);
#endif
    return unused;
}

int main(void)
{
    sem_init(&semaphore, 0, 1);
    pthread_t a = start(first, 0), b = start(second, 0);
    finish(a);
    finish(b);
    (void)mutex;
    return 0;
}
