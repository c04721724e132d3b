/*
 * CGList: a sorted list behind one lock, as a set. `add` searches outside the lock (Figure 3 of the
 * paper): two adds that find the same place both link their node there, and the second unlinks the
 * first one's. The key is in the list no more; only a later call shows it.
 *
 * UNLOCKED_SIZE: the searches are inside, but `size` counts without the lock: it passes a node
 * before it is removed and reaches another after it was added, and counts what was never there
 * together.
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

/* The last node with a smaller key. */
static struct node *find(long long key)
{
    struct node *before = &head, *n;
    while ((n = atomic_load(&before->next)) != NULL && n->key < key)
        before = n;
    return before;
}

static void lock_unless(bool late)
{
    if (!late)
        pthread_mutex_lock(&lock);
}

#ifdef UNLOCKED_SIZE
#define LATE false
#else
#define LATE true
#endif

static plumb_result add(plumb_args a)
{
    lock_unless(LATE);
    struct node *before = find(a.i[0]), *n = atomic_load(&before->next);
    if (n && n->key == a.i[0]) {
        if (!LATE)
            pthread_mutex_unlock(&lock);
        return plumb_bool(0);
    }
    lock_unless(!LATE);
    struct node *new = malloc(sizeof *new);
    new->key = a.i[0];
    atomic_init(&new->next, n);
    atomic_store(&before->next, new);
    pthread_mutex_unlock(&lock);
    return plumb_bool(1);
}

#ifdef UNLOCKED_SIZE
static plumb_result del(plumb_args a)
{
    pthread_mutex_lock(&lock);
    struct node *before = find(a.i[0]), *n = atomic_load(&before->next);
    bool there = n && n->key == a.i[0];
    if (there)
        atomic_store(&before->next, atomic_load(&n->next));
    pthread_mutex_unlock(&lock);
    return plumb_bool(there);
}

static plumb_result size(plumb_args a)
{
    int count = 0;
    (void)a;
    for (struct node *n = atomic_load(&head.next); n; n = atomic_load(&n->next))
        count++;
    return plumb_int(count);
}
#else
static plumb_result contains(plumb_args a)
{
    struct node *n = atomic_load(&find(a.i[0])->next);
    return plumb_bool(n && n->key == a.i[0]);
}
#endif

PLUMB_SUBJECT("cg-list", .spec = "set");
PLUMB_OP(add, .ints = {1, 2, 3});
#ifdef UNLOCKED_SIZE
PLUMB_OP(del, .name = "remove", .ints = {1, 2, 3});
PLUMB_OP(size);
#else
PLUMB_OP(contains, .ints = {1, 2, 3});
#endif
