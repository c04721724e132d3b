/* Treiber's stack, nodes are never freed; acquire and release where rc11 needs them. */
#include <stdatomic.h>
#include <stdlib.h>

#ifndef PUBLISH
#define PUBLISH memory_order_release
#endif

struct node {
    int value;
    struct node *next;
};

static _Atomic(struct node *) top;

static void push(int value)
{
    struct node *n = malloc(sizeof *n);
    n->value = value;
    n->next = atomic_load_explicit(&top, memory_order_relaxed);
    while (!atomic_compare_exchange_weak_explicit(&top, &n->next, n, PUBLISH, memory_order_relaxed))
        continue;
}

static int pop(void)
{
    struct node *n = atomic_load_explicit(&top, memory_order_acquire);
    while (n && !atomic_compare_exchange_weak_explicit(&top, &n, n->next, memory_order_acquire,
                                                       memory_order_acquire))
        continue;
    return n ? n->value : 0;
}
