// The value of a key, set before main, is destroyed when main ends. That it was is not kept at a
// station: none may be made meanwhile, or it is destroyed again.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>

static atomic_int x, y;
static pthread_key_t key;
static int destroyed;

static void *other(void *argument)
{
    atomic_store_explicit(&x, 1, memory_order_relaxed);
    (void)atomic_load_explicit(&y, memory_order_relaxed);
    return argument;
}

static void destroy(void *count)
{
    pthread_t thread;
    pthread_create(&thread, NULL, other, NULL);
    atomic_store_explicit(&y, 1, memory_order_relaxed);
    (void)atomic_load_explicit(&x, memory_order_relaxed); /* other executions begin here */
    pthread_join(thread, NULL);
    assert(++*(int *)count == 1);
}

__attribute__((constructor)) static void begin(void)
{
    pthread_key_create(&key, destroy);
    pthread_setspecific(key, &destroyed);
}

int main(void)
{
    pthread_exit(NULL);
}
