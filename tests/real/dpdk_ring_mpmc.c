/* DPDK rte_ring (libdpdk-dev) in its C11 mode, three threads that each enqueue and dequeue, three
 * usable slots.
 *
 * Switches: as dpdk_ring_spsc.c.
 *
 * Races: needs --races=allow. With several producers the ring is not free of races in C11: the
 * second producer waits for the first one's tail with a relaxed load (rte_wait_until_equal_32) and
 * then stores its own tail; a consumer that acquires this store synchronises with the second
 * producer only, and reads the slot of the first without synchronisation. The same between
 * consumers and the producer that reuses their slots. (Processors order it, by the control
 * dependency.)
 *
 * Asserted: L1, L2, L3 of ledger.h. A thread that finds the ring full takes a value and tries
 * again.
 *
 * What must be found: without --races=allow, the race; with -DMISUSE, an enqueue that is for one
 * producer.
 */
#include "ledger.h"
#include <pthread.h>
#include <rte_ring.h>

#ifdef MISUSE
#define rte_ring_mp_enqueue rte_ring_sp_enqueue
#endif

enum { THREADS = 3, EACH = 2, SLOTS = 4 };

/* The ring on memory of our own: the header, then the slots. No EAL is started. */
static union {
    struct rte_ring ring;
    char bytes[sizeof(struct rte_ring) + SLOTS * sizeof(void *)];
} memory __attribute__((aligned(RTE_CACHE_LINE_SIZE)));

static struct ledger ledgers[THREADS + 1];
static int values[THREADS][EACH];

static bool take_one(struct ledger *l)
{
    void *value;

    if (rte_ring_mc_dequeue(&memory.ring, &value) != 0)
        return false;
    ledger_take(l, *(int *)value);
    return true;
}

static void *work(void *arg)
{
    struct ledger *mine = arg;
    int t = (int)(mine - ledgers);

    for (int i = 0; i < EACH; i++) {
        values[t][i] = ledger_value(t, i);
        while (rte_ring_mp_enqueue(&memory.ring, &values[t][i]) != 0)
            take_one(mine);
    }
    take_one(mine);
    return NULL;
}

int main(void)
{
    pthread_t threads[THREADS];

    assert(rte_ring_get_memsize(SLOTS) <= (ssize_t)sizeof(memory));
    assert(rte_ring_init(&memory.ring, "mpmc", SLOTS, 0) == 0);
    for (int t = 0; t < THREADS; t++)
        pthread_create(&threads[t], NULL, work, &ledgers[t]);
    for (int t = 0; t < THREADS; t++)
        pthread_join(threads[t], NULL);
    while (take_one(&ledgers[THREADS]))
        ;
    assert(rte_ring_empty(&memory.ring));
    ledger_check(ledgers, THREADS + 1, THREADS, EACH, LEDGER_FIFO);
    return 0;
}
