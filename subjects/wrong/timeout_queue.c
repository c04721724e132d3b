/*
 * The queue of Line-Up's Figure 1 (root cause B): a take gives up when it does not get the lock
 * in time, and then says that the queue is empty. One call at a time that never happens.
 */
#include <pthread.h>
#include <time.h>

enum { ROOM = 16 };

struct queue {
    pthread_mutex_t lock;
    int item[ROOM];
    int head, tail;
};

static struct queue q;

static void queue_init(struct queue *x)
{
    pthread_mutex_init(&x->lock, NULL);
    x->head = x->tail = 0;
}

static void add(struct queue *x, int value)
{
    pthread_mutex_lock(&x->lock);
    x->item[x->tail++] = value;
    pthread_mutex_unlock(&x->lock);
}

static int try_take(struct queue *x)
{
    struct timespec until;
    clock_gettime(CLOCK_REALTIME, &until);
    until.tv_sec++;
    if (pthread_mutex_timedlock(&x->lock, &until) != 0)
        return 0;
    int value = x->head < x->tail ? x->item[x->head++] : 0;
    pthread_mutex_unlock(&x->lock);
    return value;
}
