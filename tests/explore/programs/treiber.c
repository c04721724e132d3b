// A Treiber stack, push only: N threads push one node each, by compare-and-swap until it succeeds.
// It ends without a bound: a failing round means that another push succeeded.
// counts: -DN=2 sc=4 tso=4 rc11=4
// counts: -DN=3 sc=48 tso=48 rc11=48
// counts: -DN=4 sc=1536 tso=1536 rc11=1536
// folded: -DN=2 sc=2 tso=2 rc11=2
// folded: -DN=3 sc=6 tso=6 rc11=6
// folded: -DN=4 sc=24 tso=24 rc11=24
#include "threads.h"

#ifndef N
#define N 2
#endif

struct node {
    int value;
    struct node *next;
};

static struct node *_Atomic top;
static struct node nodes[N];

static void *push(void *argument)
{
    struct node *node = &nodes[number_of(argument)];
    node->value = number_of(argument);
    struct node *old = atomic_load_explicit(&top, memory_order_relaxed);
    do
        node->next = old;
    while (!atomic_compare_exchange_strong_explicit(&top, &old, node, memory_order_release,
                                                    memory_order_relaxed));
    return NULL;
}

int main(void)
{
    start_all(N, push);
    join_all(N);
    int count = 0, sum = 0;
    for (struct node *node = atomic_load(&top); node; node = node->next)
        count++, sum += node->value;
    assert(count == N && sum == N * (N - 1) / 2);
    return 0;
}
