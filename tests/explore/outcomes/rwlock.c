/* Two readers, a writer that writes twice, one that only tries to read, one to write. */
#include "outcome.h"

static pthread_rwlock_t lock = PTHREAD_RWLOCK_INITIALIZER;
static int data;
static atomic_int seen, tried;

static void *reader(void *weight)
{
    pthread_rwlock_rdlock(&lock);
    atomic_fetch_add(&seen, data * (int)(long)weight);
    pthread_rwlock_unlock(&lock);
    return NULL;
}

static void *writer(void *unused)
{
    pthread_rwlock_wrlock(&lock);
    data = 1;
    pthread_rwlock_unlock(&lock);
    return unused;
}

static void *trier(void *unused)
{
    if (pthread_rwlock_tryrdlock(&lock) == 0) {
        atomic_fetch_add(&tried, 4 + 4 * data);
        pthread_rwlock_unlock(&lock);
    }
    if (pthread_rwlock_trywrlock(&lock) == 0) {
        atomic_fetch_add(&tried, 12);
        pthread_rwlock_unlock(&lock);
    }
    return unused;
}

int main(void)
{
    pthread_t a = start(reader, 1), b = start(reader, 2), c = start(writer, 0), d = start(trier, 0);
    finish(a);
    finish(b);
    finish(c);
    finish(d);
    outcome(atomic_load(&seen) + atomic_load(&tried));
    return 0;
}
