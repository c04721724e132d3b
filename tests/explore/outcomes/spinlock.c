/* Two orders, and a third thread that only tries. */
#include "outcome.h"

static pthread_spinlock_t lock;
static int last;
static atomic_int tried;

static void *locker(void *me)
{
    pthread_spin_lock(&lock);
    last = (int)(long)me;
    pthread_spin_unlock(&lock);
    return NULL;
}

static void *trier(void *unused)
{
    if (pthread_spin_trylock(&lock) == 0) {
        last = 3;
        pthread_spin_unlock(&lock);
        atomic_store(&tried, 4);
    }
    return unused;
}

int main(void)
{
    pthread_spin_init(&lock, 0);
    pthread_t a = start(locker, 1), b = start(locker, 2), c = start(trier, 0);
    finish(a);
    finish(b);
    finish(c);
    outcome(last + atomic_load(&tried));
    return 0;
}
