/* The speed of an execution: the queue of Michael and Scott, two threads that each enqueue and
 * dequeue once (2 x 2 operations), from main to the end of main.
 *
 * C11 atomics with the orders it needs, nodes from malloc. A dequeued node stays where it is (main
 * frees all at the end), so that no reclamation scheme is measured along.
 */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

enum { THREADS = 2 };

struct node {
    int value;
    _Atomic(struct node *) next;
};

static struct node *first; /* the first node of all: from here main frees them */
static _Atomic(struct node *) head, tail;
static int taken[THREADS]; /* 0: found it empty */

static struct node *new_node(int value)
{
    struct node *n = malloc(sizeof(*n));

    n->value = value;
    atomic_init(&n->next, NULL);
    return n;
}

static void enqueue(int value)
{
    struct node *n = new_node(value);

    for (;;) {
        struct node *last = atomic_load_explicit(&tail, memory_order_acquire);
        struct node *next = atomic_load_explicit(&last->next, memory_order_acquire);

        if (next) { /* help the one who is half way */
            atomic_compare_exchange_strong_explicit(&tail, &last, next, memory_order_release,
                                                    memory_order_relaxed);
        } else if (atomic_compare_exchange_strong_explicit(
                       &last->next, &next, n, memory_order_release, memory_order_relaxed)) {
            atomic_compare_exchange_strong_explicit(&tail, &last, n, memory_order_release,
                                                    memory_order_relaxed);
            return;
        }
    }
}

static int dequeue(void)
{
    for (;;) {
        struct node *dummy = atomic_load_explicit(&head, memory_order_acquire);
        struct node *last = atomic_load_explicit(&tail, memory_order_acquire);
        struct node *next = atomic_load_explicit(&dummy->next, memory_order_acquire);

        if (!next)
            return 0;
        if (dummy == last) /* the head must not overtake the tail */
            atomic_compare_exchange_strong_explicit(&tail, &last, next, memory_order_release,
                                                    memory_order_relaxed);
        else if (atomic_compare_exchange_strong_explicit(&head, &dummy, next, memory_order_release,
                                                         memory_order_relaxed))
            return next->value;
    }
}

static void *work(void *arg)
{
    int *mine = arg;

    enqueue((int)(mine - taken) + 1);
    *mine = dequeue();
    return NULL;
}

int main(void)
{
    pthread_t threads[THREADS];

    first = new_node(0);
    atomic_init(&head, first);
    atomic_init(&tail, first);
    for (int t = 0; t < THREADS; t++)
        pthread_create(&threads[t], NULL, work, &taken[t]);
    for (int t = 0; t < THREADS; t++)
        pthread_join(threads[t], NULL);

    /* Each dequeue comes after an enqueue of its own thread: none finds the queue empty. */
    assert(taken[0] + taken[1] == 3 && taken[0] * taken[1] == 2);
    while (first) {
        struct node *next = atomic_load_explicit(&first->next, memory_order_relaxed);

        free(first);
        first = next;
    }
    return 0;
}
