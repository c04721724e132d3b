// expect: assertion
// A pool whose counter is read and advanced in two steps gives one block to two threads.
#include <plumb.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

static char *slab;
static atomic_int used;

static void *worker(void *arg)
{
    int mine = atomic_load(&used);
    atomic_store(&used, mine + 1);
    plumb_pool_alloc(slab + 16 * mine, 16); // HERE
    return arg;
}

int main(void)
{
    pthread_t a, b;
    slab = malloc(64);
    pthread_create(&a, NULL, worker, NULL);
    pthread_create(&b, NULL, worker, NULL);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    free(slab);
    return 0;
}
