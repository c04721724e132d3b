// The queue of msqueue.c with every node from malloc, its atomics set up by atomic_init: the same
// counts, though the addresses differ from execution to execution.
// counts: -DN=2 sc=16 tso=16 rc11=16
// counts: -DN=3 sc=3192 tso=3192 rc11=3192
// folded: -DN=2 sc=6 tso=6 rc11=6
// folded: -DN=3 sc=126 tso=126 rc11=126
#include "threads.h"

#ifndef N
#define N 2
#endif

struct node {
    int value;
    struct node *_Atomic next;
};

static struct node *head;
static struct node *_Atomic tail;

static struct node *make(int value)
{
    struct node *node = malloc(sizeof *node);
    node->value = value;
    atomic_init(&node->next, NULL);
    return node;
}

static void swap(struct node *_Atomic *where, struct node *old, struct node *new)
{
    atomic_compare_exchange_strong_explicit(where, &old, new, memory_order_acq_rel,
                                            memory_order_acquire);
}

static void *enqueue(void *argument)
{
    struct node *node = make(number_of(argument) + 1);
    for (;;) {
        struct node *last = atomic_load_explicit(&tail, memory_order_acquire);
        struct node *next = atomic_load_explicit(&last->next, memory_order_acquire);
        if (next) {
            swap(&tail, last, next);
            continue;
        }
        if (atomic_compare_exchange_strong_explicit(&last->next, &next, node, memory_order_acq_rel,
                                                    memory_order_acquire)) {
            swap(&tail, last, node);
            return NULL;
        }
    }
}

int main(void)
{
    head = make(0);
    atomic_init(&tail, head);
    start_all(N, enqueue);
    join_all(N);
    int count = 0, sum = 0;
    struct node *next;
    for (struct node *node = head; node; node = next) {
        next = atomic_load(&node->next);
        count += node->value > 0;
        sum += node->value;
        free(node);
    }
    assert(count == N && sum == N * (N + 1) / 2);
    return 0;
}
