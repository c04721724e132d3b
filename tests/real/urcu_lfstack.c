/* liburcu lfstack (liburcu-dev), two threads that push and pop, one that pops all.
 *
 * Switches: as urcu_wfcqueue.c.
 *
 * Races: needs --races=allow. pop reads the link of the top node through a volatile load of the
 * head and the address dependency alone; push writes links with plain stores.
 *
 * Asserted: L1, L2 of ledger.h (values pushed again lose their order). Pops are serialised by the
 * stack's own mutex, pushes are not: see the table of synchronisation in urcu/lfstack.h. A popped
 * node is pushed again, which is the interesting case.
 *
 * With -DMISUSE, what must be found: pops without the lock (ABA).
 */
#include "ledger.h"
#include <pthread.h>
#include <urcu/lfstack.h>

#ifdef MISUSE
#undef cds_lfs_pop_blocking
#define cds_lfs_pop_blocking __cds_lfs_pop
#endif

enum { PRODUCERS = 2, EACH = 2 };

struct item {
    struct cds_lfs_node node;
    int value;
};

static struct cds_lfs_stack stack;
static struct ledger ledgers[PRODUCERS + 2];
static struct item items[PRODUCERS][EACH];

static void take(struct ledger *l, struct cds_lfs_node *node)
{
    ledger_take(l, caa_container_of(node, struct item, node)->value);
}

static void *push_and_pop(void *arg)
{
    struct ledger *l = arg;
    int p = (int)(l - ledgers);
    struct cds_lfs_node *node;

    for (int i = 0; i < EACH; i++) {
        struct item *item = &items[p][i];

        cds_lfs_node_init(&item->node);
        item->value = ledger_value(p, i);
        cds_lfs_push(&stack, &item->node);
    }
    if ((node = cds_lfs_pop_blocking(&stack)) != NULL) {
        cds_lfs_push(&stack, node); /* the same address again */
        if ((node = cds_lfs_pop_blocking(&stack)) != NULL)
            take(l, node);
    }
    return NULL;
}

static void *pop_all(void *arg)
{
    struct ledger *l = arg;
    struct cds_lfs_head *all = cds_lfs_pop_all_blocking(&stack);
    struct cds_lfs_node *node;

    if (all)
        cds_lfs_for_each(all, node) take(l, node);
    return NULL;
}

int main(void)
{
    pthread_t threads[PRODUCERS + 1];
    struct cds_lfs_node *node;

    cds_lfs_init(&stack);
    for (int p = 0; p < PRODUCERS; p++)
        pthread_create(&threads[p], NULL, push_and_pop, &ledgers[p]);
    pthread_create(&threads[PRODUCERS], NULL, pop_all, &ledgers[PRODUCERS]);
    for (int t = 0; t < PRODUCERS + 1; t++)
        pthread_join(threads[t], NULL);

    while ((node = cds_lfs_pop_blocking(&stack)) != NULL)
        take(&ledgers[PRODUCERS + 1], node);
    assert(cds_lfs_empty(&stack));
    cds_lfs_destroy(&stack);
    ledger_check(ledgers, PRODUCERS + 2, PRODUCERS, EACH, LEDGER_BAG);
    return 0;
}
