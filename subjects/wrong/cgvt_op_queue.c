/*
 * OPQueue: the optimistic queue of Ladan-Mozes and Shavit. Nodes are linked from the tail to the
 * head; the links the other way, which a take follows, are set after the node is in, and mended
 * when one is missing. A take exchanges head for the node before it. Here it then reads head again
 * for the value: another take may have moved it on, and both answer the same, or the wrong one.
 */
#include <plumb.h>
#include <stdatomic.h>
#include <stddef.h>
#include <stdlib.h>

struct node {
    long long value;
    _Atomic(struct node *) next; /* toward the head: older */
    _Atomic(struct node *) prev; /* toward the tail; NULL: not set yet */
};

static _Atomic(struct node *) head, tail; /* head: the last one taken */

static void setup(void)
{
    struct node *n = calloc(1, sizeof *n);
    atomic_init(&head, n);
    atomic_init(&tail, n);
}

static plumb_result enq(plumb_args a)
{
    struct node *n = calloc(1, sizeof *n);
    n->value = a.i[0];
    struct node *last = atomic_load(&tail);
    do
        atomic_store(&n->next, last);
    while (!atomic_compare_exchange_strong(&tail, &last, n));
    atomic_store(&last->prev, n);
    return plumb_ok();
}

/* Sets the links toward the tail, from there down to the first node. */
static void mend(struct node *last, struct node *first)
{
    for (struct node *n = last; first == atomic_load(&head) && n != first;) {
        struct node *older = atomic_load(&n->next);
        atomic_store(&older->prev, n);
        n = older;
    }
}

static plumb_result deq(plumb_args a)
{
    (void)a;
    for (;;) {
        struct node *first = atomic_load(&head), *last = atomic_load(&tail);
        struct node *second = atomic_load(&first->prev);
        if (first != atomic_load(&head))
            continue;
        if (first == last)
            return plumb_empty();
        if (!second) {
            mend(last, first);
            continue;
        }
        if (atomic_compare_exchange_strong(&head, &first, second))
            return plumb_int(atomic_load(&head)->value); /* not `second` any more, perhaps */
    }
}

PLUMB_SUBJECT("op-queue", .setup = setup, .spec = "fifo");
PLUMB_OP(enq, .ints = {1, 2, 3}, .data_independent = 1);
PLUMB_OP(deq);
