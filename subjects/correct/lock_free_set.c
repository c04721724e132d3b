/*
 * The set of Vechev, Yahav and Yorsh (LockFreeSet in du Toit's thesis): a sorted list that is
 * walked without a lock and changed under one. del marks a node before it asks for the lock, so
 * that nothing is added behind it from then on; add and del look again, under the lock, whether
 * the place they have found is still what it was. Where there is nothing to change, no lock is
 * taken. Nodes are never freed.
 */
#include <plumb.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdlib.h>

struct node {
    int key;
    atomic_bool marked;
    _Atomic(struct node *) next;
};

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static _Atomic(struct node *) head;

static struct node *get(_Atomic(struct node *) *link)
{
    return atomic_load_explicit(link, memory_order_acquire);
}

static bool is_marked(struct node *n)
{
    return atomic_load_explicit(&n->marked, memory_order_relaxed);
}

/* The first node with this key or a greater one; the one before it, NULL at the head. */
static struct node *locate(int key, struct node **before)
{
    struct node *n = get(&head);
    for (*before = NULL; n && n->key < key; n = get(&n->next))
        *before = n;
    return n;
}

/* Under the lock. The link that leads to `here`, if it can be changed; else NULL. */
static _Atomic(struct node *) *place(struct node *before, struct node *here)
{
    if (before && !is_marked(before) && get(&before->next) == here)
        return &before->next;
    return get(&head) == here ? &head : NULL;
}

static bool add(int key)
{
    struct node *n = NULL;
    for (;;) {
        struct node *before, *here = locate(key, &before);
        if (here && here->key == key) {
            free(n);
            return false;
        }
        if (!n)
            n = malloc(sizeof *n);
        n->key = key;
        atomic_init(&n->marked, false);
        atomic_init(&n->next, here);
        pthread_mutex_lock(&lock);
        _Atomic(struct node *) *link = place(before, here);
        bool added = link && (link != &head || !here || !is_marked(here));
        if (added)
            atomic_store_explicit(link, n, memory_order_release);
        PLUMB_POINT_IF(added);
        pthread_mutex_unlock(&lock);
        if (added)
            return true;
    }
}

static bool del(int key)
{
    for (;;) {
        struct node *before, *here = locate(key, &before);
        if (!here || here->key != key)
            return false;
        if (!is_marked(here))
            atomic_store_explicit(&here->marked, true, memory_order_relaxed);
        pthread_mutex_lock(&lock);
        _Atomic(struct node *) *link = place(before, here);
        if (link)
            atomic_store_explicit(link, get(&here->next), memory_order_release);
        PLUMB_POINT_IF(link);
        pthread_mutex_unlock(&lock);
        if (link)
            return true;
    }
}

static bool has(int key)
{
    struct node *before, *here = locate(key, &before);
    return here && here->key == key;
}

static plumb_result op_add(plumb_args a)
{
    return plumb_bool(add((int)a.i[0]));
}
static plumb_result op_del(plumb_args a)
{
    return plumb_bool(del((int)a.i[0]));
}
static plumb_result op_has(plumb_args a)
{
    return plumb_bool(has((int)a.i[0]));
}

PLUMB_OP(op_add, .name = "add", .ints = {1, 2, 3, 4, 5, 6});
PLUMB_OP(op_del, .name = "del", .ints = {1, 2, 3, 4, 5, 6});
PLUMB_OP(op_has, .name = "has", .ints = {5});
