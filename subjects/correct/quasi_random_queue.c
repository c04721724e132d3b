/*
 * The random-dequeue queue of Afek, Korland and Yanovsky, with its virtual window: a list to whose
 * end values are linked as in Michael and Scott's queue. The first WIDTH nodes behind the head are
 * the window; a take begins at any of them and takes the first value that nobody has, by a
 * compare-and-swap of the node's mark. Only when all of a full window are taken the head moves past
 * it: so no value is overtaken by more than WIDTH - 1 others.
 *
 * "Empty" is answered when all nodes of the window are taken and the last has no successor, which
 * is looked at last: marks are never taken back.
 */
#include <plumb.h>
#include <stdatomic.h>
#include <stdlib.h>

#ifndef K
#define K 2 /* the factor; 0: an exact queue */
#endif

enum { WIDTH = K + 1 };

struct node {
    int value;
    atomic_int taken;
    _Atomic(struct node *) next;
};

static struct node dummy;
static _Atomic(struct node *) head, tail;

static void setup(void)
{
    atomic_init(&dummy.next, NULL);
    atomic_init(&head, &dummy);
    atomic_init(&tail, &dummy);
}

static plumb_result enq(plumb_args a)
{
    struct node *n = malloc(sizeof *n);
    n->value = (int)a.i[0];
    atomic_init(&n->taken, 0);
    atomic_init(&n->next, NULL);
    for (;;) {
        struct node *last = atomic_load(&tail), *next = NULL;
        if (atomic_compare_exchange_strong(&last->next, &next, n)) {
            atomic_compare_exchange_strong(&tail, &last, n);
            return plumb_ok();
        }
        atomic_compare_exchange_strong(&tail, &last, next); /* help */
    }
}

static plumb_result deq(plumb_args a)
{
    (void)a;
    for (;;) {
        struct node *first = atomic_load(&head), *window[WIDTH], *last = first;
        int count = 0;
        for (struct node *n; count < WIDTH && (n = atomic_load(&last->next)); last = n)
            window[count++] = n;
        int start = count > 1 ? plumb_choose(count) : 0;
        for (int i = 0; i < count; i++) {
            struct node *n = window[(start + i) % count];
            int free = 0;
            if (!atomic_load(&n->taken) && atomic_compare_exchange_strong(&n->taken, &free, 1))
                return plumb_int(n->value);
        }
        if (count == WIDTH)
            atomic_compare_exchange_strong(&head, &first, last);
        else if (!atomic_load(&last->next))
            return plumb_empty();
    }
}

PLUMB_SUBJECT("random-queue", .setup = setup, .spec = "fifo");
PLUMB_OP(enq, .ints = {1, 2, 3, 4}, .data_independent = 1);
PLUMB_OP(deq);
PLUMB_FACTOR(deq = 2, enq = 0)
