/*
 * The queue of Line-Up's Figure 1 (root cause B): two locks, one for each end of a list. A dequeue
 * does not wait for its lock for ever, which was meant for another method, and when the time is
 * over it answers as if the queue were empty. One call at a time that never happens. Two dequeues
 * are needed: one holds the lock, the other gives up though there is an item for each.
 */
#include <plumb.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdlib.h>
#include <time.h>

struct node {
    int item;
    _Atomic(struct node *) next;
};

static pthread_mutex_t head_lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_mutex_t tail_lock = PTHREAD_MUTEX_INITIALIZER;
static struct node *head, *tail; /* head: the node whose item was taken last */

static struct node *node_new(int item)
{
    struct node *n = malloc(sizeof *n);
    n->item = item;
    atomic_init(&n->next, NULL);
    return n;
}

static void queue_init(void)
{
    head = tail = node_new(0);
}

static void enqueue(int item)
{
    struct node *n = node_new(item);
    pthread_mutex_lock(&tail_lock);
    tail->next = n;
    tail = n;
    pthread_mutex_unlock(&tail_lock);
}

static int try_dequeue(void)
{
    struct timespec until;
    clock_gettime(CLOCK_REALTIME, &until);
    until.tv_sec++;
    if (pthread_mutex_timedlock(&head_lock, &until) != 0)
        return 0;
    struct node *n = head->next;
    int item = n ? n->item : 0;
    if (n)
        head = n;
    pthread_mutex_unlock(&head_lock);
    return item;
}

static int try_peek(void)
{
    pthread_mutex_lock(&head_lock);
    struct node *n = head->next;
    int item = n ? n->item : 0;
    pthread_mutex_unlock(&head_lock);
    return item;
}

static bool is_empty(void)
{
    return try_peek() == 0;
}

/* All items as digits, the oldest first: nothing comes or goes while both locks are held. */
static unsigned long to_array(void)
{
    unsigned long digits = 0;
    pthread_mutex_lock(&head_lock);
    pthread_mutex_lock(&tail_lock);
    for (struct node *n = head->next; n; n = n->next)
        digits = digits * 10 + (unsigned long)n->item;
    pthread_mutex_unlock(&tail_lock);
    pthread_mutex_unlock(&head_lock);
    return digits;
}

static int count(void)
{
    int n = 0;
    for (unsigned long digits = to_array(); digits; digits /= 10)
        n++;
    return n;
}

PLUMB_SETUP(queue_init())
PLUMB_CALL(count())
PLUMB_CALL(is_empty())
PLUMB_CALL(enqueue(1))
PLUMB_CALL(enqueue(2))
PLUMB_CALL(to_array())
PLUMB_CALL(try_dequeue())
PLUMB_CALL(try_peek())
