/*
 * The hash dictionary (Line-Up's Table 1). Readers take no lock: they get the table with one load
 * and walk a chain whose links and values are atomic. Writers lock the stripe their key belongs to;
 * what looks at the whole table (count, is_empty, clear) locks every stripe, always in the same
 * order. clear puts a new table in the old one's place, in one step: emptying one stripe after the
 * other would show readers a table that never was (which `plumb check` found in an earlier version
 * of this file: set(10),try_add(20) | get(20),try_get(10) | clear()).
 *
 * The keys 10 and 20 are of different stripes. An entry that is removed keeps its link, so a reader
 * that stands on it finds its way, and its memory is not used again. get answers -1 for a key that
 * is not there, where .NET throws.
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

struct table {
    _Atomic(struct entry *) first[STRIPES];
    int entries[STRIPES]; /* behind the stripe's lock */
};

static pthread_mutex_t lock[STRIPES] = {PTHREAD_MUTEX_INITIALIZER, PTHREAD_MUTEX_INITIALIZER};
static struct table at_first;
static _Atomic(struct table *) table = &at_first;

static int stripe_of(int key)
{
    return key / 10 % STRIPES;
}

static struct entry *find(int key)
{
    struct table *t = table;
    struct entry *e = t->first[stripe_of(key)];
    while (e && e->key != key)
        e = e->next;
    return e;
}

/* For writers, who hold the lock: the link to the key's entry, or the last one, which is NULL. */
static _Atomic(struct entry *) *find_link(struct table *t, int key)
{
    _Atomic(struct entry *) *link = &t->first[stripe_of(key)];
    for (struct entry *e = *link; e && e->key != key; e = *link)
        link = &e->next;
    return link;
}

static bool put(int key, int value, bool replace)
{
    int stripe = stripe_of(key);
    pthread_mutex_lock(&lock[stripe]);
    struct table *t = table;
    _Atomic(struct entry *) *link = find_link(t, key);
    struct entry *e = *link;
    bool fresh = e == NULL;
    if (fresh) {
        e = malloc(sizeof *e);
        e->key = key;
        atomic_init(&e->value, value);
        atomic_init(&e->next, NULL);
        *link = e;
        t->entries[stripe]++;
    } else if (replace) {
        e->value = value;
    }
    pthread_mutex_unlock(&lock[stripe]);
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
    int stripe = stripe_of(key), value = MISSING;
    pthread_mutex_lock(&lock[stripe]);
    struct table *t = table;
    _Atomic(struct entry *) *link = find_link(t, key);
    struct entry *e = *link;
    if (e) {
        value = e->value;
        *link = e->next;
        t->entries[stripe]--;
    }
    pthread_mutex_unlock(&lock[stripe]);
    return value;
}

/* What try_add put there becomes key + 3; anything else stays. */
static bool try_update(int key)
{
    int stripe = stripe_of(key);
    pthread_mutex_lock(&lock[stripe]);
    struct entry *e = find(key);
    bool same = e && e->value == key + 1;
    if (same)
        e->value = key + 3;
    pthread_mutex_unlock(&lock[stripe]);
    return same;
}

static int get(int key)
{
    struct entry *e = find(key);
    return e ? e->value : MISSING;
}

static bool try_get(int key, int *value)
{
    *value = get(key);
    return *value != MISSING;
}

static bool contains_key(int key)
{
    return find(key) != NULL;
}

/* ---- the whole table ---- */

static void lock_all(void)
{
    for (int i = 0; i < STRIPES; i++)
        pthread_mutex_lock(&lock[i]);
}

static void unlock_all(void)
{
    for (int i = 0; i < STRIPES; i++)
        pthread_mutex_unlock(&lock[i]);
}

static int count(void)
{
    int n = 0;
    lock_all();
    struct table *t = table;
    for (int i = 0; i < STRIPES; i++)
        n += t->entries[i];
    unlock_all();
    return n;
}

static bool is_empty(void)
{
    return count() == 0;
}

static void clear(void)
{
    struct table *fresh = calloc(1, sizeof *fresh);
    lock_all();
    table = fresh;
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
