/* An error that only a round shows which then fails and is cut out: a pop reads the next of a node
 * that another pop has freed; an assertion about what a failed try has found. */
// finding: -DFREED sc=use-after-free tso=use-after-free rc11=use-after-free
// finding: -DASSERTS sc=assertion tso=assertion rc11=assertion
// finding: -DRACES sc=data-race tso=data-race rc11=data-race
// finding: -DDIVIDES sc=crash tso=crash rc11=crash
#include "rounds.h"

struct node {
    struct node *next;
};
static struct node *_Atomic top;
static atomic_int word;
#ifndef DIVIDES
static int plain;
#endif

static void *work(void *argument)
{
#if defined FREED
    struct node *old = atomic_load(&top);
    while (old && !atomic_compare_exchange_strong(&top, &old, old->next))
        ;
    free(old);
#elif defined ASSERTS
    int old = atomic_load(&word);
    while (!atomic_compare_exchange_strong(&word, &old, old + 1))
        assert(old == 0);
#elif defined RACES
    int old = atomic_load_explicit(&word, memory_order_relaxed);
    do {
        if (old == 0)
            plain++;
    } while (!atomic_compare_exchange_strong(&word, &old, old + 1));
#else
    static _Thread_local int plain;
    int seen;
    do {
        seen = atomic_load(&word);
        plain = 7 / (seen - 1);
    } while (seen != 2 && !argument);
    if (argument) {
        atomic_store(&word, 1);
        atomic_store(&word, 2);
    }
#endif
    (void)argument;
    return NULL;
}

int main(void)
{
    for (int i = 0; i < 2; i++) {
        struct node *n = malloc(sizeof *n);
        n->next = atomic_load(&top);
        atomic_store(&top, n);
    }
    pthread_t a = start(work, 0), b = start(work, 1);
    finish(a);
    finish(b);
    return 0;
}
