/*
 * Treiber's stack over nodes that are used again: a popped node goes to a free list, which is a
 * stack of the same kind. Nodes are never given back to the system, so that a pop which is late
 * may still look at a node that has long been popped: it reads some link, and its exchange must
 * then fail. The address alone would not make it fail, if the node is on top once more (ABA); so
 * the top is the number of a node and a count of the pops, exchanged as one word.
 *
 * A link is read by threads that do not own the node: it is atomic. A value is read only by the
 * pop that has taken the node out: it is plain.
 */
#include <plumb.h>
#include <stdatomic.h>

#ifndef POPPED
#define POPPED COUNT
#endif

/* Enough nodes for every test: a push that finds none says so, and it can find none while a pop has
 * not yet given its own back. A top is COUNT * pops + node. */
enum { NODES = 16, NONE = NODES, COUNT = 256 };

struct node {
    int value;
    atomic_uint next;
};

static struct node node[NODES];
static atomic_uint top, unused;

static void push_node(atomic_uint *stack, unsigned n)
{
    unsigned old = atomic_load_explicit(stack, memory_order_relaxed);
    do
        atomic_store_explicit(&node[n].next, old % COUNT, memory_order_relaxed);
    while (!atomic_compare_exchange_weak_explicit(stack, &old, old - old % COUNT + n,
                                                  memory_order_release, memory_order_relaxed));
}

static unsigned pop_node(atomic_uint *stack)
{
    unsigned old = atomic_load_explicit(stack, memory_order_acquire);
    for (;;) {
        unsigned n = old % COUNT;
        if (n == NONE)
            return NONE;
        unsigned next = atomic_load_explicit(&node[n].next, memory_order_relaxed);
        if (atomic_compare_exchange_weak_explicit(stack, &old, old - n + POPPED + next,
                                                  memory_order_acquire, memory_order_acquire))
            return n;
    }
}

static void stack_init(void)
{
    atomic_init(&top, NONE);
    atomic_init(&unused, 0);
    for (unsigned n = 0; n < NODES; n++)
        atomic_init(&node[n].next, n + 1);
}

static int push(int value) /* 0: no node left */
{
    unsigned n = pop_node(&unused);
    if (n == NONE)
        return 0;
    node[n].value = value;
    push_node(&top, n);
    return 1;
}

static int pop(void) /* 0: empty */
{
    unsigned n = pop_node(&top);
    if (n == NONE)
        return 0;
    int value = node[n].value;
    push_node(&unused, n);
    return value;
}

PLUMB_SETUP(stack_init())
PLUMB_CALL(push(1))
PLUMB_CALL(push(2))
PLUMB_CALL(pop())
