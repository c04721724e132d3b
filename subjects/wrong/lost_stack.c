/*
 * A stack whose pop stores the new top instead of exchanging it: a push that comes between the
 * load and the store is lost, two pops take the same node.
 */
#include <stdatomic.h>
#include <stdlib.h>

struct node {
    int value;
    struct node *next;
};

static _Atomic(struct node *) top;

static void push(int value)
{
    struct node *n = malloc(sizeof *n);
    n->value = value;
    n->next = atomic_load(&top);
    while (!atomic_compare_exchange_weak(&top, &n->next, n))
        continue;
}

static int pop(void)
{
    struct node *n = atomic_load(&top);
    if (!n)
        return 0;
    atomic_store(&top, n->next);
    return n->value;
}
