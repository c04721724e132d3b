/* A queue behind one lock: add, and a take that answers 0 when it is empty. The list begins with an
 * item whose value has been taken; head and tail count what was taken and put. */
#include <pthread.h>
#include <stdlib.h>

struct item {
    struct item *next;
    int value;
};

struct queue {
    pthread_mutex_t lock;
    struct item *first, *last;
    int head, tail;
};

static struct queue q;

static void queue_init(struct queue *x)
{
    pthread_mutex_init(&x->lock, NULL);
    x->first = x->last = calloc(1, sizeof *x->first);
    x->head = x->tail = 0;
}

static void add(struct queue *x, int value)
{
    struct item *new = malloc(sizeof *new);
    *new = (struct item){.value = value};
    pthread_mutex_lock(&x->lock);
    x->last = x->last->next = new;
    x->tail++;
    pthread_mutex_unlock(&x->lock);
}

static int try_take(struct queue *x)
{
    struct item *taken = NULL;
    int value = 0;
    pthread_mutex_lock(&x->lock);
    if (x->head < x->tail) {
        taken = x->first;
        x->first = taken->next;
        value = x->first->value;
        x->head++;
    }
    pthread_mutex_unlock(&x->lock);
    free(taken);
    return value;
}
