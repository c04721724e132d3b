/* liburcu wfcqueue (liburcu-dev), two enqueuers and a dequeuer, which also splices.
 *
 * Switches: -D_LGPL_SOURCE makes the queue inline (else it is code of a shared library that nobody
 * instrumented). liburcu before 0.15 has inline assembly on x86-64, which -D_URCU_ARCH_X86_H
 * -D_URCU_ARCH_UATOMIC_X86_H -DUATOMIC_HAS_ATOMIC_BYTE -DUATOMIC_HAS_ATOMIC_SHORT -include
 * urcu/arch/generic.h -include urcu/uatomic/generic.h replaces by builtins; or -include
 * plumb/compat/urcu.h, which is the same with a true exchange.
 *
 * Races: needs --races=allow. A dequeuer reaches a node through a volatile load and the address
 * dependency alone, which is no synchronisation in C11.
 *
 * Asserted: L1, L2, L3 of ledger.h. A blocking dequeue waits, with poll, for an enqueuer that is
 * between its exchange of the tail and its store of the link.
 *
 * With -DMISUSE, what must be found: a second dequeuer that does not take the lock.
 */
#include "ledger.h"
#include <pthread.h>
#include <stdlib.h>
#include <urcu/wfcqueue.h>

enum { PRODUCERS = 2, EACH = 2 };

struct item {
    struct cds_wfcq_node node;
    int value;
};

static struct cds_wfcq_head head, rest_head;
static struct cds_wfcq_tail tail, rest_tail;
static struct ledger ledgers[2];

static void take(struct ledger *l, struct cds_wfcq_node *node)
{
    struct item *item = caa_container_of(node, struct item, node);

    ledger_take(l, item->value);
    free(item);
}

static void *produce(void *arg)
{
    int p = *(int *)arg;

    for (int i = 0; i < EACH; i++) {
        struct item *item = malloc(sizeof(*item));

        cds_wfcq_node_init(&item->node);
        item->value = ledger_value(p, i);
        cds_wfcq_enqueue(&head, &tail, &item->node);
    }
    return NULL;
}

static void *consume(void *arg)
{
    struct ledger *l = arg;
    struct cds_wfcq_node *node;

    for (int i = 0; i < 2; i++)
        if ((node = cds_wfcq_dequeue_blocking(&head, &tail)) != NULL)
            take(l, node);
    cds_wfcq_splice_blocking(&rest_head, &rest_tail, &head, &tail);
    while ((node = cds_wfcq_dequeue_blocking(&rest_head, &rest_tail)) != NULL)
        take(l, node);
    return NULL;
}

int main(void)
{
    pthread_t producers[PRODUCERS], consumer;
    int numbers[PRODUCERS] = {0, 1};
    struct cds_wfcq_node *node;

    cds_wfcq_init(&head, &tail);
    cds_wfcq_init(&rest_head, &rest_tail);
    for (int p = 0; p < PRODUCERS; p++)
        pthread_create(&producers[p], NULL, produce, &numbers[p]);
    pthread_create(&consumer, NULL, consume, &ledgers[0]);
#ifdef MISUSE
    if ((node = __cds_wfcq_dequeue_blocking(&head, &tail)) != NULL)
        take(&ledgers[1], node);
#endif
    for (int p = 0; p < PRODUCERS; p++)
        pthread_join(producers[p], NULL);
    pthread_join(consumer, NULL);

    while ((node = cds_wfcq_dequeue_blocking(&head, &tail)) != NULL)
        take(&ledgers[1], node);
    assert(cds_wfcq_empty(&head, &tail) && cds_wfcq_empty(&rest_head, &rest_tail));
    cds_wfcq_destroy(&head, &tail);
    cds_wfcq_destroy(&rest_head, &rest_tail);
    ledger_check(ledgers, 2, PRODUCERS, EACH, LEDGER_FIFO);
    return 0;
}
