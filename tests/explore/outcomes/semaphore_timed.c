/* Two wait with a time limit for one token. */
#include "outcome.h"
#include <semaphore.h>

static sem_t sem;
static atomic_int got;

static void *taker(void *me)
{
    struct timespec now;
    clock_gettime(CLOCK_REALTIME, &now);
    now.tv_sec++;
    if (sem_timedwait(&sem, &now) == 0)
        atomic_fetch_add(&got, (int)(long)me);
    else if (errno != ETIMEDOUT)
        atomic_fetch_add(&got, 4);
    return NULL;
}

int main(void)
{
    sem_init(&sem, 0, 0);
    pthread_t a = start(taker, 1), b = start(taker, 2);
    sem_post(&sem);
    finish(a);
    finish(b);
    outcome(atomic_load(&got));
    return 0;
}
