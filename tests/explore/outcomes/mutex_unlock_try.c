/* Two hold a mutex, each tries to take it once more, and a third unlocks it twice: who gets it
 * again, and how many in all? */
#include "outcome.h"

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static atomic_int count, again;

static void *holder(void *weight)
{
    pthread_mutex_lock(&mutex);
    int before = atomic_load(&count);
    if (pthread_mutex_trylock(&mutex) == 0)
        atomic_fetch_add(&again, (int)(long)weight);
    atomic_store(&count, before + 1);
    pthread_mutex_unlock(&mutex);
    return NULL;
}

static void *wrong(void *unused)
{
    pthread_mutex_unlock(&mutex);
    pthread_mutex_unlock(&mutex);
    return unused;
}

int main(void)
{
    pthread_t a = start(holder, 1), b = start(holder, 2), c = start(wrong, 0);
    finish(a);
    finish(b);
    finish(c);
    outcome(atomic_load(&count) + 4 * atomic_load(&again));
    return 0;
}
