/*
 * A queue without locks that takes the slot before the item is in it. A take that comes between
 * finds the first slot empty and says that the queue is, though a later slot may be full.
 */
#include <stdatomic.h>

enum { ROOM = 8 };

struct queue {
    _Atomic int item[ROOM];
    _Atomic int head, tail;
};

static struct queue q;

static void queue_init(struct queue *x)
{
    for (int i = 0; i < ROOM; i++)
        x->item[i] = 0;
    x->head = x->tail = 0;
}

static void add(struct queue *x, int value)
{
    x->item[atomic_fetch_add(&x->tail, 1)] = value;
}

static int try_take(struct queue *x)
{
    for (;;) {
        int head = x->head;
        int value = head == x->tail ? 0 : x->item[head];
        if (value == 0)
            return 0;
        if (atomic_compare_exchange_strong(&x->head, &head, head + 1))
            return value;
    }
}
