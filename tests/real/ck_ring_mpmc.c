/* Concurrency Kit ring (libck-dev), three threads that each enqueue and dequeue, three usable
 * slots.
 *
 * Switches: -DCK_USE_CC_BUILTINS=1 -DCK_MD_RMO, as in ck_ring_spsc.c.
 *
 * Races: needs --races=allow. A consumer copies the slot out with a plain read before the
 * compare-and-swap that claims it; a producer a lap ahead may be writing that slot (the
 * compare-and-swap then fails).
 *
 * Asserted: L1, L2, L3 of ledger.h. A thread that finds the ring full takes a value and tries
 * again.
 *
 * With -DMISUSE, what must be found: an enqueue that is for one producer.
 */
#include "ledger.h"
#include <ck_ring.h>
#include <pthread.h>

#ifdef MISUSE
#define ck_ring_enqueue_mpmc ck_ring_enqueue_spmc
#endif

enum { THREADS = 3, EACH = 2, SLOTS = 4 };

static ck_ring_t ring;
static ck_ring_buffer_t slots[SLOTS];
static struct ledger ledgers[THREADS + 1];
static int values[THREADS][EACH];

static void take_one(struct ledger *l)
{
    int *value;

    if (ck_ring_dequeue_mpmc(&ring, slots, &value))
        ledger_take(l, *value);
}

static void *work(void *arg)
{
    struct ledger *mine = arg;
    int t = (int)(mine - ledgers);

    for (int i = 0; i < EACH; i++) {
        values[t][i] = ledger_value(t, i);
        while (!ck_ring_enqueue_mpmc(&ring, slots, &values[t][i]))
            take_one(mine);
    }
    take_one(mine);
    return NULL;
}

int main(void)
{
    pthread_t threads[THREADS];

    ck_ring_init(&ring, SLOTS);
    for (int t = 0; t < THREADS; t++)
        pthread_create(&threads[t], NULL, work, &ledgers[t]);
    for (int t = 0; t < THREADS; t++)
        pthread_join(threads[t], NULL);
    while (ck_ring_size(&ring) > 0)
        take_one(&ledgers[THREADS]);
    assert(ck_ring_valid(&ring));
    ledger_check(ledgers, THREADS + 1, THREADS, EACH, LEDGER_FIFO);
    return 0;
}
