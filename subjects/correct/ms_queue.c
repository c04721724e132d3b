/*
 * The queue of Michael and Scott: a list with a dummy node in front. An enqueue takes effect when
 * it links its node behind the last one; moving the tail along afterwards may be done by anybody.
 * A dequeue takes effect when it moves the head to the first real node, or, if there is none, when
 * it reads the dummy's link. Nodes are never freed.
 *
 * What is published is a node, by the link that leads to it (release) to whoever follows it
 * (acquire). Head and tail are links as well: who reads them goes on to read the node.
 */
#include <stdatomic.h>
#include <stdlib.h>

#ifndef LINK
#define LINK memory_order_release
#endif

struct node {
    int value;
    _Atomic(struct node *) next;
};

static _Atomic(struct node *) head, tail;

static struct node *node_new(int value)
{
    struct node *n = malloc(sizeof *n);
    n->value = value;
    atomic_init(&n->next, NULL);
    return n;
}

static void queue_init(void)
{
    struct node *dummy = node_new(0);
    atomic_init(&head, dummy);
    atomic_init(&tail, dummy);
}

static void enq(int value)
{
    struct node *n = node_new(value);
    for (;;) {
        struct node *last = atomic_load_explicit(&tail, memory_order_acquire);
        struct node *next = atomic_load_explicit(&last->next, memory_order_acquire);
        if (last != atomic_load_explicit(&tail, memory_order_relaxed))
            continue;
        if (next) { /* somebody is between the two steps of an enqueue: help */
            atomic_compare_exchange_strong_explicit(&tail, &last, next, memory_order_release,
                                                    memory_order_relaxed);
        } else if (atomic_compare_exchange_strong_explicit(&last->next, &next, n, LINK,
                                                           memory_order_relaxed)) {
            atomic_compare_exchange_strong_explicit(&tail, &last, n, memory_order_release,
                                                    memory_order_relaxed);
            return;
        }
    }
}

static int deq(void)
{
    for (;;) {
        struct node *first = atomic_load_explicit(&head, memory_order_acquire);
        struct node *last = atomic_load_explicit(&tail, memory_order_acquire);
        struct node *next = atomic_load_explicit(&first->next, memory_order_acquire);
        if (first != atomic_load_explicit(&head, memory_order_relaxed))
            continue;
        if (!next)
            return 0;
        if (first == last) { /* the head may not overtake the tail */
            atomic_compare_exchange_strong_explicit(&tail, &last, next, memory_order_release,
                                                    memory_order_relaxed);
            continue;
        }
        int value = next->value;
        if (atomic_compare_exchange_strong_explicit(&head, &first, next, memory_order_release,
                                                    memory_order_relaxed))
            return value;
    }
}
