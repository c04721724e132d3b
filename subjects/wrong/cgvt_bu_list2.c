/*
 * BUList2: a sorted list behind one lock, as a set. Both add and remove search outside the lock
 * and do not look again inside it; and remove writes back the link that it has read during the
 * search. What came between is overwritten: an add behind the removed node is lost, a node that
 * was unlinked comes back.
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
    struct node *n, *before = find(a.i[0], &n);
    if (n && n->key == a.i[0])
        return plumb_bool(0);
    struct node *new = malloc(sizeof *new);
    new->key = a.i[0];
    atomic_init(&new->next, n);
    pthread_mutex_lock(&lock);
    atomic_store(&before->next, new);
    pthread_mutex_unlock(&lock);
    return plumb_bool(1);
}

static plumb_result del(plumb_args a)
{
    struct node *n, *before = find(a.i[0], &n);
    if (!n || n->key != a.i[0])
        return plumb_bool(0);
    struct node *next = atomic_load(&n->next);
    pthread_mutex_lock(&lock);
    atomic_store(&before->next, next);
    pthread_mutex_unlock(&lock);
    return plumb_bool(1);
}

PLUMB_SUBJECT("bu-list-2", .spec = "set");
PLUMB_OP(add, .ints = {1, 2, 3});
PLUMB_OP(del, .name = "remove", .ints = {1, 2, 3});
