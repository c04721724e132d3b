/*
 * Treiber's stack with hazard pointers (Michael): popped nodes are freed. A pop announces the node
 * it is about to look into, and then reads the top again: if the node is still there, whoever pops
 * it later looks at the announcements before freeing it, and leaves it for another time. The
 * announcement and the second read must not change places, nor the exchange that takes the node
 * out and the look at the announcements: the seq_cst fences (store buffering again).
 * An announced node cannot come back to the top either, so there is no ABA. An announcement is a
 * release store, also when it only takes the place of another: who reads it knows that the node
 * before is done with.
 */
#include <plumb.h>
#include <stdatomic.h>
#include <stdlib.h>

#ifndef STILL
#define STILL(n) ((n) == atomic_load_explicit(&top, memory_order_acquire))
#endif
#ifndef ANNOUNCE
#define ANNOUNCE memory_order_release
#endif

enum { THREADS = 4, LATER = 8 };

struct node {
    int value;
    struct node *next;
};

static _Atomic(struct node *) top, hazard[THREADS];
static atomic_int registered;
static _Thread_local _Atomic(struct node *) *mine;
static _Thread_local struct node *later[LATER]; /* popped, announced by others when last seen */
static _Thread_local int waiting;

static int announced(const struct node *n)
{
    for (int i = 0; i < THREADS; i++)
        if (atomic_load_explicit(&hazard[i], memory_order_acquire) == n)
            return 1;
    return 0;
}

static void retire(struct node *n)
{
    later[waiting++] = n;
    atomic_thread_fence(memory_order_seq_cst);
    for (int i = waiting; i-- > 0;)
        if (!announced(later[i])) {
            free(later[i]);
            later[i] = later[--waiting];
        }
}

static void push(int value)
{
    struct node *n = malloc(sizeof *n);
    n->value = value;
    n->next = atomic_load_explicit(&top, memory_order_relaxed);
    while (!atomic_compare_exchange_weak_explicit(&top, &n->next, n, memory_order_release,
                                                  memory_order_relaxed))
        continue;
}

static int pop(void) /* 0: empty */
{
    if (!mine)
        mine = &hazard[atomic_fetch_add_explicit(&registered, 1, memory_order_relaxed)];
    struct node *n;
    for (;;) {
        n = atomic_load_explicit(&top, memory_order_acquire);
        if (!n)
            break;
        atomic_store_explicit(mine, n, ANNOUNCE);
        atomic_thread_fence(memory_order_seq_cst);
        if (!STILL(n))
            continue;
        struct node *old = n;
        if (atomic_compare_exchange_strong_explicit(&top, &old, n->next, memory_order_acquire,
                                                    memory_order_relaxed))
            break;
    }
    atomic_store_explicit(mine, NULL, memory_order_release);
    if (!n)
        return 0;
    int value = n->value;
    retire(n);
    return value;
}

PLUMB_CALL(push(1))
PLUMB_CALL(push(2))
PLUMB_CALL(pop())
