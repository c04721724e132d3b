/* DPDK rte_ring (libdpdk-dev) in its C11 mode, one producer, one consumer, three usable slots.
 *
 * Switches: -DRTE_USE_C11_MEM_MODEL makes the ring use the compiler's atomics (the default on
 * x86-64 is volatile accesses and compiler barriers); pkg-config --cflags libdpdk; -lrte_ring for
 * rte_ring_init, the one function that is not inline. It runs before the threads start.
 *
 * Races: none allowed; the tails publish with release and acquire.
 *
 * Asserted: the consumer gets exactly the values put, in order, with the plain memory they point
 * to. The ring is full and empty on the way, so both sides spin.
 *
 * What must be found: without -DRTE_USE_C11_MEM_MODEL the slots race.
 */
#include <assert.h>
#include <pthread.h>
#include <rte_ring.h>
#include <stdlib.h>

enum { VALUES = 5, SLOTS = 4 };

/* The ring on memory of our own: the header, then the slots. No EAL is started. */
static union {
    struct rte_ring ring;
    char bytes[sizeof(struct rte_ring) + SLOTS * sizeof(void *)];
} memory __attribute__((aligned(RTE_CACHE_LINE_SIZE)));

static void *produce(void *arg)
{
    for (int i = 0; i < VALUES; i++) {
        int *value = malloc(sizeof(*value));

        *value = i;
        while (rte_ring_sp_enqueue(&memory.ring, value) != 0)
            rte_pause();
    }
    return arg;
}

static void *consume(void *arg)
{
    for (int i = 0; i < VALUES; i++) {
        void *value = NULL;

        while (rte_ring_sc_dequeue(&memory.ring, &value) != 0)
            rte_pause();
        assert(*(int *)value == i);
        free(value);
    }
    return arg;
}

int main(void)
{
    pthread_t producer, consumer;

    assert(rte_ring_get_memsize(SLOTS) <= (ssize_t)sizeof(memory));
    assert(rte_ring_init(&memory.ring, "spsc", SLOTS, RING_F_SP_ENQ | RING_F_SC_DEQ) == 0);
    pthread_create(&producer, NULL, produce, NULL);
    pthread_create(&consumer, NULL, consume, NULL);
    pthread_join(producer, NULL);
    pthread_join(consumer, NULL);
    assert(rte_ring_empty(&memory.ring));
    return 0;
}
