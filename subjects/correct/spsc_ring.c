/*
 * A bounded queue for one producer and one consumer: each side owns one index and
 * publishes it with a release store; the other side reads it with an acquire load. The
 * slots themselves are plain memory.
 */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>

#ifndef PUBLISH
#define PUBLISH memory_order_release
#endif

enum { SLOTS = 2, VALUES = 4 };

static int slot[SLOTS];
static atomic_uint head, tail; /* taken so far, put so far */

static bool put(int value)
{
    unsigned t = atomic_load_explicit(&tail, memory_order_relaxed);
    if (t - atomic_load_explicit(&head, memory_order_acquire) == SLOTS)
        return false;
    slot[t % SLOTS] = value;
    atomic_store_explicit(&tail, t + 1, PUBLISH);
    return true;
}

static bool take(int *value)
{
    unsigned h = atomic_load_explicit(&head, memory_order_relaxed);
    if (h == atomic_load_explicit(&tail, memory_order_acquire))
        return false;
    *value = slot[h % SLOTS];
    atomic_store_explicit(&head, h + 1, memory_order_release);
    return true;
}

static void *produce(void *unused)
{
    for (int i = 1; i <= VALUES; i++)
        while (!put(i))
            ;
    return unused;
}

static void *consume(void *unused)
{
    for (int i = 1, value; i <= VALUES; i++) {
        while (!take(&value))
            ;
        assert(value == i);
    }
    return unused;
}

int main(void)
{
    pthread_t producer, consumer;
    pthread_create(&producer, NULL, produce, NULL);
    pthread_create(&consumer, NULL, consume, NULL);
    pthread_join(producer, NULL);
    pthread_join(consumer, NULL);
    return 0;
}
