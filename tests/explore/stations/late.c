/* A lock that is tried by compare-exchange, and loops that wait: a write where somebody stands
 * comes last, so at a station a thread may be one that lets all others go first. */
#include <pthread.h>
#include <stdatomic.h>

#include "raise.h"

static atomic_int x, y, z, held;

static int look_locked(atomic_int *where, memory_order unlock)
{
    int is = 0;
    while (!atomic_compare_exchange_strong(&held, &is, 1))
        is = 0;
    int seen = atomic_load_explicit(where, RELAXED);
    atomic_store_explicit(&held, 0, unlock);
    return seen;
}

static void *raises(void *unused)
{
    raise_to_two(&y, RELAXED);
    (void)look_locked(&y, memory_order_release);
    (void)atomic_load(&x);
    atomic_store_explicit(&z, 2, memory_order_release);
    return unused;
}

static void *waits(void *unused)
{
    while (atomic_load(&z) && !atomic_load_explicit(&x, RELAXED))
        ;
    (void)look_locked(&x, RELAXED);
    (void)atomic_load_explicit(&z, memory_order_acquire);
    if (atomic_load(&y))
        while (!atomic_load_explicit(&z, RELAXED))
            ;
    else
        while (atomic_load(&x) == 0)
            ;
    return unused;
}

static void *looks(void *unused)
{
    raise_to_two(&x, memory_order_acquire);
    (void)atomic_load(&y);
    (void)atomic_load(&y);
    return unused;
}

int main(void)
{
    void *(*const work[])(void *) = {raises, waits, looks};
    pthread_t thread[3];
    for (int i = 0; i < 3; i++)
        pthread_create(&thread[i], NULL, work[i], NULL);
    atomic_store_explicit(&x, 1, RELAXED);
    atomic_store_explicit(&y, 1, RELAXED);
    atomic_store_explicit(&z, 2, memory_order_release);
    for (int i = 0; i < 3; i++)
        pthread_join(thread[i], NULL);
    return 0;
}
