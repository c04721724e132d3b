/* Michael and Scott's queue: each thread enqueues, then dequeues until it gets something. */
// outcomes: -DN=2 sc=1,2 tso=1,2 rc11=1,2
// finding: -DN=2 sc=pass tso=pass rc11=pass
// finding: -DN=2 -DRELAXED sc=data-race tso=data-race rc11=data-race
// finding: -DN=2 -DEXTRA sc=livelock tso=livelock rc11=livelock
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

static struct node nodes[N + 1];
static struct node *_Atomic head = &nodes[N], *_Atomic tail = &nodes[N];
static int got[N];

static void enqueue(struct node *n)
{
    for (;;) {
        struct node *last = atomic_load_explicit(&tail, memory_order_acquire);
        struct node *next = atomic_load_explicit(&last->next, memory_order_acquire);
        if (last != atomic_load_explicit(&tail, memory_order_acquire))
            continue;
        if (next) {
            atomic_compare_exchange_strong_explicit(&tail, &last, next, memory_order_acq_rel,
                                                    memory_order_relaxed);
        } else if (atomic_compare_exchange_strong_explicit(&last->next, &next, n, RELEASE,
                                                           memory_order_relaxed)) {
            atomic_compare_exchange_strong_explicit(&tail, &last, n, RELEASE, memory_order_relaxed);
            return;
        }
    }
}

static int dequeue(void)
{
    for (;;) {
        struct node *first = atomic_load_explicit(&head, memory_order_acquire);
        struct node *last = atomic_load_explicit(&tail, memory_order_acquire);
        struct node *next = atomic_load_explicit(&first->next, memory_order_acquire);
        if (first != atomic_load_explicit(&head, memory_order_acquire) || !next)
            continue;
        if (first == last)
            atomic_compare_exchange_strong_explicit(&tail, &last, next, memory_order_acq_rel,
                                                    memory_order_relaxed);
        else if (atomic_compare_exchange_strong_explicit(&head, &first, next, memory_order_acq_rel,
                                                         memory_order_relaxed))
            return next->value;
    }
}

static void *work(void *argument)
{
    long me = (long)argument;
    nodes[me].value = (int)me + 1;
    enqueue(&nodes[me]);
    got[me] = dequeue();
#ifdef EXTRA
    (void)dequeue();
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
        sum += got[i];
    }
    assert(sum == N * (N + 1) / 2);
    outcome(got[0]);
    return 0;
}
