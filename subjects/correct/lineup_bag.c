/*
 * The bag (Line-Up's Table 1): a list for each thread, made when the thread first adds something.
 * A thread adds to its own list and takes the newest of it; if it has none, it takes the oldest of
 * another's. It does not wait for a list that somebody else holds but goes on to the next; only
 * when it finds nothing that way it holds the whole bag, as count, is_empty and to_array do, and
 * looks again: so "empty" is true of one moment.
 *
 * Which item it takes is nobody's business: it is a bag. One call at a time a thread always gets
 * its own newest; at the same time as a count, which holds its list, another thread's. No
 * deterministic spec allows that: root cause J, which is meant. The spec of a bag does.
 *
 * A take and a peek answer the item, 0 for none; to_array counts, for it has no order: tens are
 * the items 10, ones the items 20.
 */
#include <plumb.h>
#include <pthread.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdlib.h>

enum { ROOM = 16 };

/* May the owner do without the lock? */
#ifndef OWNER_IS_ALONE
#define OWNER_IS_ALONE(list) false
#endif

struct list {
    pthread_mutex_t lock;
    int item[ROOM];
    int first, end; /* item[first] … item[end - 1] */
    struct list *next;
};

static pthread_mutex_t bag_lock = PTHREAD_MUTEX_INITIALIZER;
static struct list *_Atomic lists; /* grows, behind the lock */
static _Thread_local struct list *mine;

static struct list *list_new(void)
{
    struct list *l = malloc(sizeof *l);
    pthread_mutex_init(&l->lock, NULL);
    l->first = l->end = 0;
    pthread_mutex_lock(&bag_lock);
    l->next = lists;
    lists = l;
    pthread_mutex_unlock(&bag_lock);
    return l;
}

static void add(int item)
{
    if (!mine)
        mine = list_new();
    pthread_mutex_lock(&mine->lock);
    mine->item[mine->end++] = item;
    pthread_mutex_unlock(&mine->lock);
}

/* ---- the whole bag ---- */

static void freeze(void)
{
    pthread_mutex_lock(&bag_lock);
    for (struct list *l = lists; l; l = l->next)
        pthread_mutex_lock(&l->lock);
}

static void thaw(void)
{
    for (struct list *l = lists; l; l = l->next)
        pthread_mutex_unlock(&l->lock);
    pthread_mutex_unlock(&bag_lock);
}

static int to_array(void)
{
    int tally = 0;
    freeze();
    for (struct list *l = lists; l; l = l->next)
        for (int i = l->first; i < l->end; i++)
            tally += l->item[i] == 10 ? 10 : 1;
    thaw();
    return tally;
}

static int count(void)
{
    int tally = to_array();
    return tally / 10 + tally % 10;
}

static bool is_empty(void)
{
    return to_array() == 0;
}

/* ---- taking ---- */

/* An item of the list, whose lock is held: the owner's newest, for others the oldest. */
static int pick(struct list *l, bool remove)
{
    if (l->first == l->end)
        return 0;
    if (l == mine)
        return l->item[remove ? --l->end : l->end - 1];
    return l->item[remove ? l->first++ : l->first];
}

static int pick_unless_held(struct list *l, bool remove)
{
    bool alone = l == mine && OWNER_IS_ALONE(l);
    if (!alone && pthread_mutex_trylock(&l->lock) != 0)
        return 0;
    int item = pick(l, remove);
    if (!alone)
        pthread_mutex_unlock(&l->lock);
    return item;
}

static int pick_of_all(bool remove)
{
    int item = mine ? pick_unless_held(mine, remove) : 0;
    for (struct list *l = lists; l && !item; l = l->next)
        if (l != mine)
            item = pick_unless_held(l, remove);
    if (item)
        return item;
    freeze();
    for (struct list *l = lists; l && !item; l = l->next)
        item = pick(l, remove);
    thaw();
    return item;
}

static int try_take(void)
{
    return pick_of_all(true);
}

static int try_peek(void)
{
    return pick_of_all(false);
}

PLUMB_CALL(count())
PLUMB_CALL(add(10))
PLUMB_CALL(add(20))
PLUMB_CALL(try_take())
PLUMB_CALL(is_empty())
PLUMB_CALL(try_peek())
PLUMB_CALL(to_array())
