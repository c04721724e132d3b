/* A Treiber stack: N threads each push a node, then pop one. Nodes are not given back. A load
 * before a compare-and-swap may read an earlier write of the same value. With two threads there are
 * 6 orders; in the 2 that pop before the second push, that push has two NULLs to read; in 2 of the
 * other 4 the thread that pushed first pops last, and reads its own write or the other pop's: 10.
 */
// retries: -DN=2 sc=10 tso=10 rc11=10 blocked=0
// retries: -DN=3 sc=270 tso=270 rc11=270 blocked=0
#include "threads.h"

#include <plumb.h>

#ifndef N
#define N 2
#endif

// With ASSUME one round, and nothing else is of interest.
#ifdef ASSUME
#define AGAIN_UNLESS(condition) plumb_assume(condition)
#else
#define AGAIN_UNLESS(condition)                                                                    \
    if (!(condition))                                                                              \
    goto again
#endif

struct node {
    int value;
    struct node *_Atomic next;
};

static struct node *_Atomic top;
static struct node nodes[N];
static int popped[N];

static void push(struct node *node)
{
    struct node *old;
again:
    old = atomic_load_explicit(&top, memory_order_acquire);
    atomic_store_explicit(&node->next, old, memory_order_relaxed);
    AGAIN_UNLESS(atomic_compare_exchange_strong_explicit(&top, &old, node, memory_order_release,
                                                         memory_order_relaxed));
}

static struct node *pop(void)
{
    struct node *old, *next;
again:
    old = atomic_load_explicit(&top, memory_order_acquire);
    if (!old)
        return NULL;
    next = atomic_load_explicit(&old->next, memory_order_relaxed);
    AGAIN_UNLESS(atomic_compare_exchange_strong_explicit(&top, &old, next, memory_order_release,
                                                         memory_order_relaxed));
    return old;
}

static void *work(void *argument)
{
    int me = number_of(argument);
    nodes[me].value = me + 1;
    push(&nodes[me]);
    struct node *got = pop();
    assert(got);
    popped[me] = got->value;
    return NULL;
}

int main(void)
{
    start_all(N, work);
    join_all(N);
    int sum = 0;
    for (int i = 0; i < N; i++)
        sum += popped[i];
    assert(sum == N * (N + 1) / 2);
    return 0;
}
