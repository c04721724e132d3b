/*
 * The lazy list (Heller and others): a sorted list as a set, a lock in each node. add and del walk
 * without locks to the place, lock the two nodes there, and then make sure that both are still in
 * the list and neighbours; else they start again. del marks a node before it unlinks it, so that
 * "in the list" can be read off the node alone; the mark is where it takes effect. has takes no
 * lock at all: it walks, and looks at the mark. Nodes are never freed.
 */
#include <limits.h>
#include <plumb.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdlib.h>

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
        atomic_store_explicit(&before->next, n, memory_order_release);
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
        atomic_store_explicit(&here->removed, true, memory_order_release);
        atomic_store_explicit(&before->next, next_of(here), memory_order_release);
    }
    pthread_mutex_unlock(&here->lock);
    pthread_mutex_unlock(&before->lock);
    return there;
}

static bool has(int key)
{
    struct node *n = next_of(&head);
    while (n->key < key)
        n = next_of(n);
    return n->key == key && !atomic_load_explicit(&n->removed, memory_order_acquire);
}

PLUMB_SETUP(list_init())
PLUMB_CALL(add(1))
PLUMB_CALL(add(2))
PLUMB_CALL(del(1))
PLUMB_CALL(has(2))
