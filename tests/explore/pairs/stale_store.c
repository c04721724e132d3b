/* A store to the location that a thread knows of, but only by a relaxed flag: under rc11 its load
 * may still read what is older, an update that comes later to stand before the store. Then its
 * compare-exchange finds a value that has not come by updates alone. */
// pairs: no
// pairs: -DVALUES no
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

#define RELAXED memory_order_relaxed
static atomic_int x = 5, data, flag;
static int taken = 9, found = 9, seen = 9;

static void *tries(void *argument)
{
    if (!atomic_load_explicit(&flag, RELAXED))
        return argument;
    int old;
#ifdef VALUES
    old = atomic_load_explicit(&x, RELAXED);
    while (!atomic_compare_exchange_strong_explicit(&x, &old, 0, RELAXED, RELAXED))
        ;
#else
    for (;;) {
        old = atomic_load_explicit(&x, memory_order_acquire);
        if (atomic_compare_exchange_strong_explicit(&x, &old, 7, RELAXED, RELAXED))
            break;
    }
    seen = atomic_load_explicit(&data, RELAXED);
    found = old;
#endif
    return argument;
}

static void *stores(void *argument)
{
    atomic_store_explicit(&data, 1, RELAXED);
    atomic_store_explicit(&x, 0, memory_order_release);
    atomic_store_explicit(&flag, 1, RELAXED);
    return argument;
}

static void *third(void *argument)
{
#ifdef VALUES
    return tries(argument);
#else
    taken = atomic_exchange_explicit(&x, 0, RELAXED);
    return argument;
#endif
}

int main(void)
{
    pthread_t t[3];
    pthread_create(&t[0], NULL, stores, NULL);
    pthread_create(&t[1], NULL, tries, NULL);
    pthread_create(&t[2], NULL, third, NULL);
    for (int i = 0; i < 3; i++)
        pthread_join(t[i], NULL);
    assert(!(taken == 5 && found == 0 && seen == 0 && x == 7));
    return 0;
}
