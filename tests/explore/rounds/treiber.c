/* Treiber's stack: each thread pushes and then pops. Nodes from an array, freed never; or given
 * back to malloc, where reading the next of a node that somebody else has freed is the bug. */
// outcomes: -DN=2 sc=1,2 tso=1,2 rc11=1,2
// finding: -DN=3 sc=pass tso=pass rc11=pass
// finding: -DN=2 -DFREE sc=use-after-free tso=use-after-free rc11=use-after-free
// finding: -DN=2 -DRELAXED sc=data-race tso=data-race rc11=data-race
#include "rounds.h"

#ifdef RELAXED
#define RELEASE memory_order_relaxed
#else
#define RELEASE memory_order_acq_rel
#endif

struct node {
    int value;
    struct node *_Atomic next;
};

static struct node *_Atomic top;
static struct node nodes[N];
static int popped[N];

static void push(struct node *n)
{
    struct node *old = atomic_load_explicit(&top, memory_order_relaxed);
    do
        atomic_store_explicit(&n->next, old, memory_order_relaxed);
    while (!atomic_compare_exchange_weak_explicit(&top, &old, n, RELEASE, memory_order_relaxed));
}

static struct node *pop(void)
{
    for (;;) {
        struct node *old = atomic_load_explicit(&top, memory_order_acquire);
        if (!old)
            return NULL;
        struct node *next = atomic_load_explicit(&old->next, memory_order_relaxed);
        if (atomic_compare_exchange_strong_explicit(&top, &old, next, memory_order_acq_rel,
                                                    memory_order_relaxed))
            return old;
    }
}

static void *work(void *argument)
{
    long me = (long)argument;
#ifdef FREE
    struct node *n = malloc(sizeof *n);
#else
    struct node *n = &nodes[me];
#endif
    n->value = (int)me + 1;
    push(n);
    struct node *got = pop();
    popped[me] = got->value;
#ifdef FREE
    free(got);
#endif
    return NULL;
}

int main(void)
{
    pthread_t thread[N];
    for (long i = 0; i < N; i++)
        thread[i] = start(work, i);
    int sum = 0;
    for (int i = 0; i < N; i++) {
        finish(thread[i]);
        sum += popped[i];
    }
    assert(sum == N * (N + 1) / 2 && !atomic_load(&top));
    (void)nodes;
    outcome(popped[0]);
    return 0;
}
