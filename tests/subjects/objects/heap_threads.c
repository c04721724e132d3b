/* Blocks go from thread to thread over a mutex and over an atomic pointer; the receiver frees. A
 * block freed and given out again starts a new life without a past. */
#include "../help.h"
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

struct node {
    struct node *next;
    int value;
    char tail[13];
};
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static struct node *list;          /* under mutex */
static _Atomic(struct node *) box; /* release, acquire */

static void *make(void *unused)
{
    for (int i = 0; i < 4; i++) {
        struct node *node = malloc(sizeof *node);
        node->value = i;
        memset(node->tail, i, sizeof node->tail);
        assert(pthread_mutex_lock(&mutex) == 0);
        node->next = list;
        list = node;
        assert(pthread_mutex_unlock(&mutex) == 0);
        struct node *again = malloc(sizeof *again);
        again->value = 77;
        struct node *old = atomic_exchange_explicit(&box, again, memory_order_acq_rel);
        if (old) {
            assert(old->value == 77);
            free(old);
        }
    }
    return unused;
}

static void *take(void *unused)
{
    for (int i = 0; i < 6; i++) {
        assert(pthread_mutex_lock(&mutex) == 0);
        struct node *node = list;
        if (node)
            list = node->next;
        assert(pthread_mutex_unlock(&mutex) == 0);
        if (node) {
            assert(node->tail[12] == node->value);
            free(node);
        }
        struct node *old = atomic_exchange_explicit(&box, NULL, memory_order_acq_rel);
        if (old) {
            assert(old->value == 77);
            free(old);
        }
    }
    return unused;
}

int main(void)
{
    pthread_t a = start(make, NULL), b = start(take, NULL), c = start(make, NULL);
    finish(a);
    finish(b);
    finish(c);
    take(NULL);
    take(NULL);
    return 0;
}
