/* Concurrency Kit ring (libck-dev), one producer, one consumer, three usable slots.
 *
 * Switches: -DCK_USE_CC_BUILTINS=1 -DCK_MD_RMO. The library's atomics are inline assembly on
 * x86-64; the first makes them builtins, the second makes its fences fences (on TSO most are
 * compiler barriers, and the order they stand for would be lost).
 *
 * Races: none allowed; the indices are volatile (relaxed) and the fences synchronise.
 *
 * Asserted: the consumer gets exactly the values put, in order, with the plain memory they point
 * to. The ring is full and empty on the way, so both sides spin.
 *
 * What must be found: without -DCK_MD_RMO the fences are gone, and the slots race.
 */
#include <assert.h>
#include <ck_ring.h>
#include <pthread.h>
#include <stdlib.h>

enum { VALUES = 5, SLOTS = 4 };

static ck_ring_t ring;
static ck_ring_buffer_t slots[SLOTS];

static void *produce(void *arg)
{
    for (int i = 0; i < VALUES; i++) {
        int *value = malloc(sizeof(*value));

        *value = i;
        while (!ck_ring_enqueue_spsc(&ring, slots, value))
            ck_pr_stall();
    }
    return arg;
}

static void *consume(void *arg)
{
    for (int i = 0; i < VALUES; i++) {
        int *value = NULL;

        while (!ck_ring_dequeue_spsc(&ring, slots, &value))
            ck_pr_stall();
        assert(*value == i);
        free(value);
    }
    return arg;
}

int main(void)
{
    pthread_t producer, consumer;

    ck_ring_init(&ring, SLOTS);
    assert(ck_ring_capacity(&ring) == SLOTS);
    pthread_create(&producer, NULL, produce, NULL);
    pthread_create(&consumer, NULL, consume, NULL);
    pthread_join(producer, NULL);
    pthread_join(consumer, NULL);
    assert(ck_ring_size(&ring) == 0);
    return 0;
}
