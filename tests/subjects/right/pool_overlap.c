// The pool counts in one step; blocks are freed and given out again, and a slab that is freed takes
// its blocks with it. A pool on a stack ends with its function.
#include <plumb.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

static char *slab;
static atomic_int used;

static void on_the_stack(void)
{
    long pool[8];
    plumb_pool_alloc(pool, sizeof pool);
}

static void *worker(void *arg)
{
    int mine = atomic_fetch_add(&used, 1);
    for (int i = 0; i < 2; i++) {
        plumb_pool_alloc(slab + 16 * mine, 16);
        plumb_pool_free(slab + 16 * mine);
        on_the_stack();
    }
    plumb_pool_alloc(slab + 16 * mine, 16);
    return arg;
}

int main(void)
{
    for (int round = 0; round < 2; round++) {
        pthread_t a, b;
        used = 0;
        slab = malloc(64);
        pthread_create(&a, NULL, worker, NULL);
        pthread_create(&b, NULL, worker, NULL);
        pthread_join(a, NULL);
        pthread_join(b, NULL);
        free(slab);
    }
    return 0;
}
