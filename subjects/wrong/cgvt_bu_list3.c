/*
 * BUList3: a sorted list behind one lock, as a set; a removed node is marked, then unlinked. add is
 * done under the lock from its search on. But remove marks the node and reads its successor before
 * it takes the lock: a node that was added behind the removed one in between is unlinked with it,
 * and its key is lost; only a later call shows it.
 */
#include <plumb.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdlib.h>

struct node {
    long long key;
    _Atomic(struct node *) next;
    _Atomic(int) removed;
};

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static struct node head; /* before all keys */

static struct node *find(long long key, struct node **found)
{
    struct node *before = &head;
    while ((*found = atomic_load(&before->next)) != NULL && (*found)->key < key)
        before = *found;
    return before;
}

static plumb_result add(plumb_args a)
{
    pthread_mutex_lock(&lock);
    struct node *n, *before = find(a.i[0], &n);
    bool is_new = !n || n->key != a.i[0] || atomic_load(&n->removed);
    if (is_new) {
        struct node *new = malloc(sizeof *new);
        new->key = a.i[0];
        atomic_init(&new->next, n);
        atomic_init(&new->removed, 0);
        atomic_store(&before->next, new);
    }
    pthread_mutex_unlock(&lock);
    return plumb_bool(is_new);
}

static plumb_result del(plumb_args a)
{
    struct node *n, *before = &head, *next;
    (void)find(a.i[0], &n);
    if (!n || n->key != a.i[0] || atomic_exchange(&n->removed, 1))
        return plumb_bool(0);
    next = atomic_load(&n->next); /* too early: not yet under the lock */
    pthread_mutex_lock(&lock);
    for (struct node *at; (at = atomic_load(&before->next)) != NULL && at != n;)
        before = at;
    if (atomic_load(&before->next) == n)
        atomic_store(&before->next, next);
    pthread_mutex_unlock(&lock);
    return plumb_bool(1);
}

PLUMB_SUBJECT("bu-list-3", .spec = "set");
PLUMB_OP(add, .ints = {1, 2, 3});
PLUMB_OP(del, .name = "remove", .ints = {1, 2, 3});
