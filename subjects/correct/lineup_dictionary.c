/*
 * The hash dictionary (Line-Up's Table 1). Readers take no lock: they walk a chain whose links and
 * values are atomic. Writers lock the stripe their key belongs to; what looks at the whole table
 * (count, is_empty, clear) locks every stripe, always in the same order. The keys 10 and 20 are of
 * different stripes, 10 and 30 would be of the same one. An entry that is removed keeps its link,
 * so a reader that stands on it finds its way, and its memory is not used again.
 *
 * get answers -1 for a key that is not there, where .NET throws.
 */
#include <plumb.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdlib.h>

enum { STRIPES = 2, MISSING = -1 };

struct entry {
    int key;
    _Atomic int value;
    _Atomic(struct entry *) next;
};

static struct stripe {
    pthread_mutex_t lock;
    _Atomic(struct entry *) first;
    int entries; /* behind the lock */
} table[STRIPES] = {{.lock = PTHREAD_MUTEX_INITIALIZER}, {.lock = PTHREAD_MUTEX_INITIALIZER}};

static struct stripe *stripe_of(int key)
{
    return &table[key / 10 % STRIPES];
}

/* The link that leads to the key's entry, or the last one, which is NULL. */
static _Atomic(struct entry *) *find(struct stripe *s, int key)
{
    _Atomic(struct entry *) *link = &s->first;
    for (struct entry *e = *link; e && e->key != key; e = *link)
        link = &e->next;
    return link;
}

static bool put(int key, int value, bool replace)
{
    struct stripe *s = stripe_of(key);
    pthread_mutex_lock(&s->lock);
    _Atomic(struct entry *) *link = find(s, key);
    struct entry *e = *link;
    bool fresh = e == NULL;
    if (fresh) {
        e = malloc(sizeof *e);
        e->key = key;
        atomic_init(&e->value, value);
        atomic_init(&e->next, NULL);
        *link = e;
        s->entries++;
    } else if (replace) {
        e->value = value;
    }
    pthread_mutex_unlock(&s->lock);
    return fresh;
}

static bool try_add(int key)
{
    return put(key, key + 1, false);
}

static void set(int key)
{
    put(key, key + 2, true);
}

static int try_remove(int key)
{
    struct stripe *s = stripe_of(key);
    int value = MISSING;
    pthread_mutex_lock(&s->lock);
    _Atomic(struct entry *) *link = find(s, key);
    struct entry *e = *link;
    if (e) {
        value = e->value;
        *link = e->next;
        s->entries--;
    }
    pthread_mutex_unlock(&s->lock);
    return value;
}

/* What try_add put there becomes key + 3; anything else stays. */
static bool try_update(int key)
{
    struct stripe *s = stripe_of(key);
    pthread_mutex_lock(&s->lock);
    struct entry *e = *find(s, key);
    bool same = e && e->value == key + 1;
    if (same)
        e->value = key + 3;
    pthread_mutex_unlock(&s->lock);
    return same;
}

static int get(int key)
{
    struct entry *e = *find(stripe_of(key), key);
    return e ? e->value : MISSING;
}

static bool try_get(int key, int *value)
{
    *value = get(key);
    return *value != MISSING;
}

static bool contains_key(int key)
{
    return *find(stripe_of(key), key) != NULL;
}

/* ---- the whole table ---- */

static void lock_all(void)
{
    for (int i = 0; i < STRIPES; i++)
        pthread_mutex_lock(&table[i].lock);
}

static void unlock_all(void)
{
    for (int i = 0; i < STRIPES; i++)
        pthread_mutex_unlock(&table[i].lock);
}

static int count(void)
{
    int n = 0;
    lock_all();
    for (int i = 0; i < STRIPES; i++)
        n += table[i].entries;
    unlock_all();
    return n;
}

static bool is_empty(void)
{
    return count() == 0;
}

static void clear(void)
{
    lock_all();
    for (int i = 0; i < STRIPES; i++) {
        table[i].first = NULL;
        table[i].entries = 0;
    }
    unlock_all();
}

PLUMB_CALL(count())
PLUMB_CALL(is_empty())
PLUMB_CALL(clear())
PLUMB_CALL(try_add(10))
PLUMB_CALL(try_add(20))
PLUMB_CALL(try_remove(10))
PLUMB_CALL(try_remove(20))
PLUMB_CALL_OUT(int v, try_get(10, &v), v)
PLUMB_CALL_OUT(int v, try_get(20, &v), v)
PLUMB_CALL(get(10))
PLUMB_CALL(get(20))
PLUMB_CALL(set(10))
PLUMB_CALL(set(20))
PLUMB_CALL(try_update(10))
PLUMB_CALL(try_update(20))
PLUMB_CALL(contains_key(10))
PLUMB_CALL(contains_key(20))
