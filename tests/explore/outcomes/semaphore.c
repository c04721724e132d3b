/* Three want one of the tokens of which there is one, and another comes; one gives up. */
#include "outcome.h"
#include <semaphore.h>

static sem_t sem;
static atomic_int order, first, got, value;

static void *taker(void *me)
{
    sem_wait(&sem);
    if (atomic_fetch_add(&order, 1) == 0)
        atomic_store(&first, (int)(long)me);
    return NULL;
}

static void *trier(void *unused)
{
    atomic_store(&got, sem_trywait(&sem) == 0);
    return unused;
}

static void *giver(void *unused)
{
    sem_post(&sem);
    int now;
    sem_getvalue(&sem, &now);
    atomic_store(&value, now > 1);
    return unused;
}

int main(void)
{
    sem_init(&sem, 0, 1);
    pthread_t a = start(taker, 1), b = start(trier, 0), c = start(giver, 0);
    finish(b);
    finish(c);
    if (!atomic_load(&got)) {
        pthread_t d = start(taker, 2);
        finish(d);
    }
    finish(a);
    outcome(atomic_load(&first) + 4 * atomic_load(&got) + 8 * atomic_load(&value));
    return 0;
}
