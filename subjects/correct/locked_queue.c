/* A bounded queue behind one lock: add, and a take that answers 0 when it is empty. */
#include <pthread.h>

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
    pthread_mutex_lock(&x->lock);
    int value = x->head < x->tail ? x->item[x->head++] : 0;
    pthread_mutex_unlock(&x->lock);
    return value;
}
