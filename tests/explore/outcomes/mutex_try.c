/* Who gets it first, and does the one that only tries get it? */
#include "outcome.h"

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static int count, mine[2];
static atomic_int tried;

static void *locker(void *me)
{
    pthread_mutex_lock(&mutex);
    mine[(long)me] = count++;
    pthread_mutex_unlock(&mutex);
    return NULL;
}

static void *trier(void *unused)
{
    int status = pthread_mutex_trylock(&mutex);
    if (status == 0) {
        count++;
        pthread_mutex_unlock(&mutex);
    }
    atomic_store(&tried, status == 0 ? 0 : status == EBUSY ? 1 : 2);
    return unused;
}

int main(void)
{
    pthread_t a = start(locker, 0), b = start(locker, 1), c = start(trier, 0);
    finish(a);
    finish(b);
    finish(c);
    int order = mine[0] < mine[1] ? mine[0] : 2;
    outcome(order + 3 * atomic_load(&tried));
    return 0;
}
