/* Locks that are reached through pointers, as most are, taken by N threads once: N! orders of a
 * ticket lock and of a queue in which each watches the one before (CLH). In the other queue (MCS)
 * who leaves finds the next one there, or tries to leave the lock empty and waits for the next. */
// retries: -DN=3 -DTICKET sc=6 tso=6 rc11=6 blocked=0
// retries: -DN=4 -DTICKET sc=24 tso=24 rc11=24 blocked=0
// retries: -DN=4 -DTICKET -DHEAP sc=24 tso=24 rc11=24 blocked=0
// retries: -DN=3 -DCLH sc=6 tso=6 rc11=6 blocked=0
// retries: -DN=4 -DCLH -DHEAP sc=24 tso=24 rc11=24 blocked=0
// retries: -DN=3 -DMCS sc=66 tso=66 rc11=66 blocked=0
// retries: -DN=3 -DMCS -DHEAP sc=66 tso=66 rc11=66 blocked=0
#include "threads.h"

#include <plumb.h>

#ifndef N
#define N 3
#endif

#ifdef ASSUME
#define WAIT_UNTIL(condition) plumb_assume(condition)
#else
#define WAIT_UNTIL(condition)                                                                      \
    while (!(condition))                                                                           \
    continue
#endif

struct node {
    struct node *_Atomic next;
    atomic_int locked;
};

struct lock {
    atomic_int tickets, owner;
    struct node *_Atomic tail;
    int count;
    struct node node[N + 1];
};

static struct lock *the;

#define load(place)         atomic_load_explicit(&(place), memory_order_acquire)
#define relaxed(place)      atomic_load_explicit(&(place), memory_order_relaxed)
#define set(place, value)   atomic_store_explicit(&(place), value, memory_order_relaxed)
#define store(place, value) atomic_store_explicit(&(place), value, memory_order_release)

#if defined TICKET

static void take(struct lock *lock, struct node *node)
{
    int mine = atomic_fetch_add_explicit(&lock->tickets, 1, memory_order_relaxed);
    (void)node;
    WAIT_UNTIL(load(lock->owner) == mine);
}

static void leave(struct lock *lock, struct node *node)
{
    (void)node;
    store(lock->owner, relaxed(lock->owner) + 1);
}

#elif defined CLH

static void take(struct lock *lock, struct node *node)
{
    set(node->locked, 1);
    struct node *before = atomic_exchange_explicit(&lock->tail, node, memory_order_acq_rel);
    WAIT_UNTIL(!load(before->locked));
}

static void leave(struct lock *lock, struct node *node)
{
    (void)lock;
    store(node->locked, 0);
}

#else

static void take(struct lock *lock, struct node *node)
{
    set(node->next, NULL);
    set(node->locked, 1);
    struct node *before = atomic_exchange_explicit(&lock->tail, node, memory_order_acq_rel);
    if (!before)
        return;
    store(before->next, node);
    WAIT_UNTIL(!load(node->locked));
}

static void leave(struct lock *lock, struct node *node)
{
    struct node *self = node;
    if (!load(node->next)) {
        if (atomic_compare_exchange_strong_explicit(&lock->tail, &self, NULL, memory_order_release,
                                                    memory_order_relaxed))
            return;
        WAIT_UNTIL(load(node->next) != NULL);
    }
    store(relaxed(node->next)->locked, 0);
}

#endif

static void *work(void *argument)
{
    struct lock *lock = the;
    struct node *node = &lock->node[number_of(argument)];
    take(lock, node);
    lock->count++;
    leave(lock, node);
    return NULL;
}

int main(void)
{
#ifdef HEAP
    the = malloc(sizeof *the);
#else
    static struct lock lock;
    the = &lock;
#endif
    atomic_init(&the->tickets, 0);
    atomic_init(&the->owner, 0);
#ifdef CLH
    atomic_init(&the->tail, &the->node[N]);
    atomic_init(&the->node[N].locked, 0);
#else
    atomic_init(&the->tail, NULL);
#endif
    the->count = 0;
    start_all(N, work);
    join_all(N);
    assert(the->count == N);
#ifdef HEAP
    free(the);
#endif
    return 0;
}
