/* A spin lock excludes; trylock says EBUSY, to its holder as well. */
#include "../help.h"
#include <stdatomic.h>

static pthread_spinlock_t lock;
static int counter;
static atomic_int released;

static void *count(void *unused)
{
    for (int i = 0; i < 2; i++) {
        assert(pthread_spin_lock(&lock) == 0);
        counter++;
        assert(pthread_spin_unlock(&lock) == 0);
    }
    int error = pthread_spin_trylock(&lock);
    assert(error == 0 || error == EBUSY);
    if (error == 0) {
        counter += 10;
        counter -= 10;
        assert(pthread_spin_unlock(&lock) == 0);
    }
    return unused;
}

static void *sees_busy(void *unused)
{
    assert(pthread_spin_trylock(&lock) == EBUSY);
    return unused;
}

static void *waits(void *unused)
{
    assert(pthread_spin_lock(&lock) == 0);
    assert(atomic_load(&released));
    assert(pthread_spin_unlock(&lock) == 0);
    return unused;
}

int main(void)
{
    assert(pthread_spin_init(&lock, PTHREAD_PROCESS_PRIVATE) == 0);
    pthread_t threads[3];
    for (size_t i = 0; i < COUNT(threads); i++)
        threads[i] = start(count, NULL);
    for (size_t i = 0; i < COUNT(threads); i++)
        finish(threads[i]);
    assert(counter == 6);
    assert(pthread_spin_trylock(&lock) == 0);
    assert(pthread_spin_trylock(&lock) == EBUSY);
    elsewhere(sees_busy, NULL);
    pthread_t a = start(waits, NULL);
    pthread_t b = start(waits, NULL);
    atomic_store(&released, 1);
    assert(pthread_spin_unlock(&lock) == 0);
    finish(a);
    finish(b);
    assert(pthread_spin_destroy(&lock) == 0);
    return 0;
}
