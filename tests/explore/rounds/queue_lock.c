/* Queue locks: N threads, one execution for each order, in which each thread either finds the one
 * before gone or waits for it. MCS: the holder that gives up the tail or hands over. */
// counts: -DN=3 -DCLH sc=6 tso=6 rc11=6
// counts: -DN=4 -DCLH sc=24 tso=24 rc11=24
// finding: -DN=3 -DMCS sc=pass tso=pass rc11=pass
// finding: -DN=3 -DMCS -DFORGETS sc=livelock tso=livelock rc11=livelock
// outcomes: -DN=2 -DMCS sc=1,2 tso=1,2 rc11=1,2
// outcomes: -DN=2 -DCLH sc=1,2 tso=1,2 rc11=1,2
#include "rounds.h"

struct node {
    struct node *_Atomic next;
    atomic_int held;
};

static struct node first, nodes[N];
static struct node *_Atomic tail
#ifdef CLH
    = &first
#endif
    ;
static int order;

#ifdef CLH
static void lock(struct node *me)
{
    atomic_store_explicit(&me->held, 1, memory_order_relaxed);
    struct node *before = atomic_exchange_explicit(&tail, me, memory_order_acq_rel);
    while (atomic_load_explicit(&before->held, memory_order_acquire))
        ;
}

static void unlock(struct node *me)
{
    atomic_store_explicit(&me->held, 0, memory_order_release);
}
#else
static void lock(struct node *me)
{
    atomic_store_explicit(&me->next, NULL, memory_order_relaxed);
    struct node *before = atomic_exchange_explicit(&tail, me, memory_order_acq_rel);
    if (!before)
        return;
    atomic_store_explicit(&me->held, 1, memory_order_relaxed);
    atomic_store_explicit(&before->next, me, memory_order_release);
    while (atomic_load_explicit(&me->held, memory_order_acquire))
        ;
}

static void unlock(struct node *me)
{
    struct node *next = atomic_load_explicit(&me->next, memory_order_acquire), *self = me;
    if (!next) {
        if (atomic_compare_exchange_strong_explicit(&tail, &self, NULL, memory_order_release,
                                                    memory_order_relaxed))
            return;
#ifdef FORGETS
        return;
#endif
        while (!(next = atomic_load_explicit(&me->next, memory_order_acquire)))
            ;
    }
    atomic_store_explicit(&next->held, 0, memory_order_release);
}
#endif

static void *work(void *argument)
{
    struct node *me = &nodes[(long)argument];
    lock(me);
    order = order * 2 + (int)(long)argument;
    unlock(me);
    return NULL;
}

int main(void)
{
    pthread_t thread[N];
    for (long i = 0; i < N; i++)
        thread[i] = start(work, i);
    for (int i = 0; i < N; i++)
        finish(thread[i]);
    (void)first;
    outcome(order);
    return 0;
}
