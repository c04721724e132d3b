/*
 * The linked list (Line-Up's Table 1): items are added and removed at both ends. One ring of
 * entries with a sentinel, behind one lock. A removal answers whether there was anything, and the
 * item where that is asked for.
 *
 * wrong/lineup_linked_list.c has root cause C.
 */
#include <plumb.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>

enum end { FIRST, LAST };
enum { ROOM = 32 };

#ifndef ENDS_APART
#define ENDS_APART 0 /* 1: each end has a lock of its own, root cause C */
#endif

struct entry {
    int value;
    struct entry *beyond[2]; /* towards each end */
};

static pthread_mutex_t lock[2] = {PTHREAD_MUTEX_INITIALIZER, PTHREAD_MUTEX_INITIALIZER};
static struct entry ring = {.beyond = {&ring, &ring}};
static struct entry entry[ROOM]; /* each is used once */
static _Atomic int used;
static int entries;

static void lock_end(enum end end)
{
    pthread_mutex_lock(&lock[ENDS_APART ? end : FIRST]);
}

static void unlock_end(enum end end)
{
    pthread_mutex_unlock(&lock[ENDS_APART ? end : FIRST]);
}

static void lock_list(void)
{
    lock_end(FIRST);
    if (ENDS_APART)
        lock_end(LAST);
}

static void unlock_list(void)
{
    if (ENDS_APART)
        unlock_end(LAST);
    unlock_end(FIRST);
}

static int count(void)
{
    lock_list();
    int n = entries;
    unlock_list();
    return n;
}

static void add(enum end end, int value)
{
    enum end other = end == FIRST ? LAST : FIRST;
    lock_end(end);
    struct entry *e = &entry[used++ % ROOM];
    e->value = value;
    struct entry *old = ring.beyond[other]; /* what is at this end now */
    e->beyond[end] = &ring;
    e->beyond[other] = old;
    old->beyond[end] = e;
    ring.beyond[other] = e;
    entries++;
    unlock_end(end);
}

static bool take(enum end end, int *value)
{
    enum end other = end == FIRST ? LAST : FIRST;
    lock_list();
    struct entry *e = ring.beyond[other];
    bool any = e != &ring;
    if (any) {
        struct entry *left = e->beyond[other];
        ring.beyond[other] = left;
        left->beyond[end] = &ring;
        entries--;
        *value = e->value;
    }
    unlock_list();
    return any;
}

static void add_first(int value)
{
    add(FIRST, value);
}

static void add_last(int value)
{
    add(LAST, value);
}

static bool take_first(int *value)
{
    return take(FIRST, value);
}

static bool take_last(int *value)
{
    return take(LAST, value);
}

static bool remove_first(void)
{
    int unused;
    return take(FIRST, &unused);
}

static bool remove_last(void)
{
    int unused;
    return take(LAST, &unused);
}

PLUMB_CALL(count())
PLUMB_CALL(add_first(1))
PLUMB_CALL(add_last(2))
PLUMB_CALL(remove_first())
PLUMB_CALL_OUT(int v, take_first(&v), v)
PLUMB_CALL(remove_last())
PLUMB_CALL_OUT(int v, take_last(&v), v)
