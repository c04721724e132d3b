// Blocks of a pool of the program's own, and which of them are free, are kept.
#include <assert.h>
#include <plumb.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>

static int pool[2][16];
static _Atomic(int *) shared;
static atomic_int x, y;

static void *put(void *block)
{
    int *mine = block;
    plumb_pool_alloc(mine, sizeof pool[0]);
    *mine = 3;
    atomic_store(&x, 1);
    int *old = atomic_exchange(&shared, mine);
    (void)atomic_load(&x);
    if (old) {
        assert(*old == 3);
        plumb_pool_free(old);
        if (atomic_load(&y))
            *old = 1; /* found: it is free */
    }
    return NULL;
}

int main(void)
{
    pthread_t one, two;
    pthread_create(&one, NULL, put, pool[0]);
    pthread_create(&two, NULL, put, pool[1]);
    atomic_store(&y, 1);
    pthread_join(one, NULL);
    pthread_join(two, NULL);
}
