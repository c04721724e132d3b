/*
 * BUQueue: the queue of Michael and Scott whose enqueue does not look again whether tail is still
 * what it has read. Nodes are never freed, so the look only saves a failing exchange: the exchange
 * of next succeeds only at a node that has none, which is the last one whatever tail says, and
 * the one of tail only moves it on. Nothing is wrong with it.
 */
#include <plumb.h>
#include <stdatomic.h>
#include <stddef.h>
#include <stdlib.h>

struct node {
    long long value;
    _Atomic(struct node *) next;
};

static _Atomic(struct node *) head, tail;

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
    for (;;) {
        struct node *last = atomic_load(&tail), *next = atomic_load(&last->next);
        if (next) {
            atomic_compare_exchange_strong(&tail, &last, next);
            continue;
        }
        if (atomic_compare_exchange_strong(&last->next, &next, n)) {
            atomic_compare_exchange_strong(&tail, &last, n);
            return plumb_ok();
        }
    }
}

static plumb_result deq(plumb_args a)
{
    (void)a;
    for (;;) {
        struct node *first = atomic_load(&head), *last = atomic_load(&tail);
        struct node *next = atomic_load(&first->next);
        if (first != atomic_load(&head))
            continue;
        if (!next)
            return plumb_empty();
        if (first == last) {
            atomic_compare_exchange_strong(&tail, &last, next);
            continue;
        }
        long long value = next->value;
        if (atomic_compare_exchange_strong(&head, &first, next))
            return plumb_int(value);
    }
}

PLUMB_SUBJECT("bu-queue", .setup = setup, .spec = "fifo");
PLUMB_OP(enq, .ints = {1, 2, 3}, .data_independent = 1);
PLUMB_OP(deq);
