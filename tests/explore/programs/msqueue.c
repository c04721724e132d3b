// A Michael-Scott queue, enqueue only: N threads append one node each, helping a tail that lags.
// Release and acquire; the loop ends without a bound, as each failing round means progress.
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

static struct node nodes[N + 1];
static struct node *head = &nodes[N];
static struct node *_Atomic tail = &nodes[N];

static void swap(struct node *_Atomic *where, struct node *old, struct node *new)
{
    atomic_compare_exchange_strong_explicit(where, &old, new, memory_order_acq_rel,
                                            memory_order_acquire);
}

static void *enqueue(void *argument)
{
    struct node *node = &nodes[number_of(argument)];
    node->value = number_of(argument) + 1;
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
    start_all(N, enqueue);
    join_all(N);
    int count = 0, sum = 0;
    for (struct node *node = head; (node = atomic_load(&node->next));)
        count++, sum += node->value;
    assert(count == N && sum == N * (N + 1) / 2);
    return 0;
}
