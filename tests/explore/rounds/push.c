/* N pushes on a stack: whatever the kind of next and of loop, one execution for each order. A
 * failed compare-exchange that orders less than the load before the loop is not cut out, nor is
 * one with an event between the load and the loop: more executions, the same outcomes. */
// counts: -DN=3 sc=6 tso=6 rc11=6
// counts: -DN=4 sc=24 tso=24 rc11=24
// counts: -DN=3 -DATOMIC_NEXT sc=6 tso=6 rc11=6
// counts: -DN=3 -DRELOAD sc=6 tso=6 rc11=6
// counts: -DN=3 -DRELOAD -DATOMIC_NEXT sc=6 tso=6 rc11=6
// counts: -DN=3 -DPOOL sc=6 tso=6 rc11=6
// outcomes: -DN=2 -DATOMIC_NEXT sc=1,2 tso=1,2 rc11=1,2
// outcomes: -DN=2 -DRELOAD sc=1,2 tso=1,2 rc11=1,2
// outcomes: -DN=2 -DWEAKER sc=1,2 tso=1,2 rc11=1,2
// outcomes: -DN=2 -DEVENT sc=1,2,5,6 tso=1,2,5,6 rc11=1,2,5,6
#include "rounds.h"

#ifndef WEAKER
#define FAILING memory_order_acquire
#else
#define FAILING memory_order_relaxed
#endif

struct node {
    int value;
#ifdef ATOMIC_NEXT
    struct node *_Atomic next;
#else
    struct node *next;
#endif
};

static struct node *_Atomic top;
static atomic_int event;
#ifdef POOL
static struct node pool[N];
#endif

#ifdef ATOMIC_NEXT
#define SET_NEXT(n, to) atomic_store_explicit(&(n)->next, to, memory_order_relaxed)
#else
#define SET_NEXT(n, to) ((n)->next = (to))
#endif

static void *push(void *argument)
{
#ifdef POOL
    struct node *n = &pool[(long)argument];
#else
    struct node *n = malloc(sizeof *n);
    if (!n)
        abort();
#endif
    n->value = (int)(long)argument;
#ifdef RELOAD
    for (;;) {
        struct node *old = atomic_load_explicit(&top, memory_order_acquire);
        SET_NEXT(n, old);
        if (atomic_compare_exchange_strong_explicit(&top, &old, n, memory_order_acq_rel, FAILING))
            break;
    }
#else
    struct node *old = atomic_load_explicit(&top, memory_order_acquire);
#ifdef EVENT
    atomic_fetch_or(&event, old ? 4 : 0);
#endif
    do
        SET_NEXT(n, old);
    while (!atomic_compare_exchange_strong_explicit(&top, &old, n, memory_order_acq_rel, FAILING));
#endif
    return NULL;
}

int main(void)
{
    pthread_t thread[N];
    for (long i = 0; i < N; i++)
        thread[i] = start(push, i);
    for (int i = 0; i < N; i++)
        finish(thread[i]);
    int order = 0;
    for (struct node *n = atomic_load(&top); n; n = n->next)
        order = order * 2 + n->value;
    outcome(order + atomic_load(&event));
    return 0;
}
