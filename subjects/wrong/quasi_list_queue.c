/*
 * A list queue for one thread, used by several: two puts that find the same last node lose a value,
 * two takes that find the same first node both answer it. No factor makes up for a value that is
 * lost or taken twice.
 *
 * The accesses are atomic, so that it is the answers that are wrong and not a data race.
 */
#include <plumb.h>
#include <stdatomic.h>
#include <stdlib.h>

struct node {
    int value;
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
    atomic_init(&n->next, NULL);
    struct node *last = atomic_load(&tail);
    atomic_store(&last->next, n);
    atomic_store(&tail, n);
    return plumb_ok();
}

static plumb_result deq(plumb_args a)
{
    (void)a;
    struct node *first = atomic_load(&atomic_load(&head)->next);
    if (!first)
        return plumb_empty();
    atomic_store(&head, first);
    return plumb_int(first->value);
}

PLUMB_SUBJECT("list-queue", .setup = setup, .spec = "fifo");
PLUMB_OP(enq, .ints = {1, 2, 3, 4}, .data_independent = 1);
PLUMB_OP(deq);
PLUMB_FACTOR(deq = 2, enq = 0)
