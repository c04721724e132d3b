/* Loops that try again, and one that waits, of three threads while main changes what they look at:
 * who stands still at a station, in which round, and who let the others go first. */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

#include "raise.h"

static atomic_int x, y, z;
static int seen[3];

static void *raises(void *unused)
{
    raise_to_two(&y, RELAXED);
    raise_to_two(&x, memory_order_seq_cst);
    seen[0] = atomic_load_explicit(&x, RELAXED);
    return unused;
}

static void *waits(void *unused)
{
    seen[1] = atomic_load(&y);
    while (atomic_load_explicit(&y, RELAXED) && !atomic_load(&z))
        ;
    seen[1] += atomic_load(&x);
    return unused;
}

static void *stores(void *unused)
{
    atomic_store(&y, 2);
    seen[2] = atomic_load_explicit(&x, memory_order_acquire);
    seen[2] += atomic_load_explicit(&y, memory_order_acquire);
    raise_to_two(&y, memory_order_seq_cst);
    return unused;
}

int main(void)
{
    void *(*const work[])(void *) = {raises, waits, stores};
    pthread_t thread[3];
    for (int i = 0; i < 3; i++)
        pthread_create(&thread[i], NULL, work[i], NULL);
    atomic_store_explicit(&x, 1, RELAXED);
    atomic_store_explicit(&y, 1, RELAXED);
    for (int i = 0; i < 3; i++)
        pthread_join(thread[i], NULL);
    assert(seen[0] != 2);
    assert(seen[1] != 1);
    return 0;
}
