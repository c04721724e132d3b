// Memory holds what is last in coherence order. A write that revisits a read is tried at each place
// there, and what was kept after the write, at one place, is wrong for the next.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <string.h>

static atomic_int x;

static void *write_one(void *argument)
{
    atomic_store_explicit(&x, 1, memory_order_relaxed);
    return argument;
}

static void *read_it(void *argument)
{
    (void)atomic_load_explicit(&x, memory_order_relaxed);
    return argument;
}

static void *write_two(void *argument)
{
    atomic_store_explicit(&x, 2, memory_order_relaxed);
    return argument;
}

int main(void)
{
    pthread_t thread[3];
    pthread_create(&thread[0], NULL, write_one, NULL);
    pthread_create(&thread[1], NULL, read_it, NULL);
    pthread_create(&thread[2], NULL, write_two, NULL);
    for (int i = 0; i < 3; i++)
        pthread_join(thread[i], NULL);
    int in_memory;
    memcpy(&in_memory, (const void *)&x, sizeof in_memory);
    assert(in_memory == atomic_load(&x));
}
