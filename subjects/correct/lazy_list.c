/*
 * The lazy list (Heller and others): a sorted list as a set, a lock in each node. add and del walk
 * without locks to the place, lock the two nodes there, and then make sure that both are still in
 * the list and neighbours; else they start again. del marks a node before it unlinks it, so that
 * "in the list" can be read off the node alone; the mark is where it takes effect. has takes no
 * lock at all: it walks, and looks at the mark. Nodes are never freed.
 *
 * Two that take locks are ordered by them: both have locked the same node. A has is ordered to
 * others by what it reads alone, and must still see the changes of different keys in the one order
 * that all see. Two threads that each add a key and then ask for the other's must not both miss
 * (store buffering). So what changes the set, the link to a new node (LINK) and the mark (REMOVE),
 * is stored seq_cst, and a has reads links and marks (LOOK) seq_cst. The links that find reads need
 * only bring the node along (acquire): what an add or del answers it looks at again with the locks
 * held.
 *
 * To unlink changes nothing that a has could answer: the link it writes is the one that stands in
 * the removed node, where it does not change any more. Who does not come by that node any more must
 * know that it was removed: release.
 */
#include <limits.h>
#include <plumb.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdlib.h>

#ifndef LINK
#define LINK memory_order_seq_cst
#endif
#ifndef REMOVE
#define REMOVE memory_order_seq_cst
#endif
#ifndef LOOK
#define LOOK memory_order_seq_cst
#endif
#ifndef STILL_THERE
#define STILL_THERE(n) (!atomic_load_explicit(&(n)->removed, memory_order_relaxed))
#endif

struct node {
    int key;
    _Atomic(struct node *) next;
    atomic_bool removed;
    pthread_mutex_t lock;
};

static struct node head, end;

static void node_init(struct node *n, int key, struct node *next)
{
    n->key = key;
    atomic_init(&n->next, next);
    atomic_init(&n->removed, false);
    pthread_mutex_init(&n->lock, NULL);
}

static void list_init(void)
{
    node_init(&head, INT_MIN, &end);
    node_init(&end, INT_MAX, NULL);
}

static struct node *next_of(struct node *n)
{
    return atomic_load_explicit(&n->next, memory_order_acquire);
}

/* Locks the last node before the key and the one behind it. */
static void find(int key, struct node **before, struct node **here)
{
    for (;;) {
        *before = &head;
        *here = next_of(&head);
        while ((*here)->key < key) {
            *before = *here;
            *here = next_of(*here);
        }
        pthread_mutex_lock(&(*before)->lock);
        pthread_mutex_lock(&(*here)->lock);
        if (STILL_THERE(*before) && STILL_THERE(*here) && next_of(*before) == *here)
            return;
        pthread_mutex_unlock(&(*here)->lock);
        pthread_mutex_unlock(&(*before)->lock);
    }
}

static bool add(int key)
{
    struct node *before, *here;
    find(key, &before, &here);
    bool added = here->key != key;
    if (added) {
        struct node *n = malloc(sizeof *n);
        node_init(n, key, here);
        atomic_store_explicit(&before->next, n, LINK);
    }
    pthread_mutex_unlock(&here->lock);
    pthread_mutex_unlock(&before->lock);
    return added;
}

static bool del(int key)
{
    struct node *before, *here;
    find(key, &before, &here);
    bool there = here->key == key;
    if (there) {
        atomic_store_explicit(&here->removed, true, REMOVE);
        atomic_store_explicit(&before->next, next_of(here), memory_order_release);
    }
    pthread_mutex_unlock(&here->lock);
    pthread_mutex_unlock(&before->lock);
    return there;
}

static bool has(int key)
{
    struct node *n = atomic_load_explicit(&head.next, LOOK);
    while (n->key < key)
        n = atomic_load_explicit(&n->next, LOOK);
    return n->key == key && !atomic_load_explicit(&n->removed, LOOK);
}

PLUMB_SETUP(list_init())
PLUMB_CALL(add(1))
PLUMB_CALL(add(2))
PLUMB_CALL(add(3))
PLUMB_CALL(del(1))
PLUMB_CALL(del(2))
PLUMB_CALL(has(1))
PLUMB_CALL(has(2))
PLUMB_CALL(has(3))
