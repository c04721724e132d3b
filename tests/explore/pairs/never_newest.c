/* A value that a thread can only find when another has taken it, for it knows by a relaxed flag
 * that it has: what its round does with the value shows in a round that fails, and in no other. */
// pairs: no
// pairs: -DRACES no
// pairs: -DFRESH no
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>
#include <stdlib.h>

#define RELAXED memory_order_relaxed
struct node {
    struct node *_Atomic next;
};
static struct node a, b;
static struct node *_Atomic top;
static atomic_int flag;

static void *first(void *argument)
{
#ifdef RACES
    atomic_exchange_explicit(&top, &b, RELAXED);
    atomic_init(&a.next, &b);
#else
    atomic_exchange_explicit(&top, &a, RELAXED);
#endif
    atomic_store_explicit(&flag, 1, RELAXED);
    return argument;
}

static void *second(void *argument)
{
    if (!atomic_load_explicit(&flag, RELAXED))
        return argument;
    for (;;) {
        struct node *old = atomic_load_explicit(&top, RELAXED);
        struct node *next = atomic_load_explicit(&old->next, RELAXED);
        if (atomic_compare_exchange_strong_explicit(&top, &old, next, RELAXED, RELAXED))
            break;
    }
    return argument;
}

int main(void)
{
    pthread_t t, u;
    (void)a, (void)b;
#ifdef RACES
    top = &a;
#elif defined FRESH
    top = malloc(sizeof *top);
#endif
    pthread_create(&t, NULL, first, NULL);
    pthread_create(&u, NULL, second, NULL);
    pthread_join(t, NULL);
    pthread_join(u, NULL);
    return 0;
}
