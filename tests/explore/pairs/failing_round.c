/* What only a round that fails meets: the next node of one that another thread has popped, which
 * has written to it since; memory that is given back then, otherwise than by free(). first() comes
 * first or second; z makes it so that no revisit would come of the other's exchange. */
// pairs: -DWRITES no
// pairs: -DWRITES -DSECOND no
// pairs: -DWRITES -DTAKES no
// pairs: -DWRITES -DTAKES -DSECOND no
// pairs: -DWRITES -DAGAIN no
// pairs: -DWRITES -DAGAIN -DSECOND no
// pairs: -DWRITES -DRACES no
// pairs: -DWRITES -DRACES -DSECOND no
// pairs: -DUNMAPS no
// pairs: -DUNMAPS -DSECOND no
// pairs: -DPOOL no
#include <plumb.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>
#include <stdlib.h>
#include <sys/mman.h>

struct node {
    struct node *_Atomic next;
};
static struct node base, own;
static struct node *_Atomic top;
static atomic_int z;

static struct node *pop(void)
{
    for (;;) {
        struct node *old = atomic_load(&top);
        struct node *next = atomic_load_explicit(&old->next, memory_order_relaxed);
#ifdef WRITES
        next = atomic_load(&next->next);
#endif
        if (atomic_compare_exchange_strong(&top, &old, next))
            return old;
    }
}

#ifdef AGAIN /* the node is one that the thread has put there itself */
static void push(struct node *n)
{
    for (;;) {
        struct node *old = atomic_load(&top);
        atomic_store_explicit(&n->next, old, memory_order_relaxed);
        if (atomic_compare_exchange_strong(&top, &old, n))
            return;
    }
}
#endif

static void *first(void *argument)
{
#ifdef AGAIN
    push(&own);
#endif
#ifdef TAKES /* and comes to the node's memory only then */
    struct node *n = atomic_exchange(&top, &base);
#else
    struct node *n = pop();
#endif
#ifdef AGAIN
    if (n != &own)
        return argument;
#endif
    if (n == &base || atomic_fetch_add(&z, 2))
        return argument;
#ifdef RACES
    atomic_store_explicit(&n->next, &own, memory_order_relaxed);
    atomic_init(&own.next, &base);
#elif defined WRITES
    atomic_store(&n->next, NULL);
#elif defined UNMAPS
    munmap(n, 4096);
#else
    plumb_pool_free(n);
#endif
    return argument;
}

static void *second(void *argument)
{
    (void)pop();
    return argument;
}

static struct node *make(void)
{
#ifdef UNMAPS
    return mmap(NULL, 4096, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
#elif defined POOL
    struct node *n = malloc(sizeof *n);
    plumb_pool_alloc(n, sizeof *n);
    return n;
#else
    static struct node n;
    return &n;
#endif
}

int main(void)
{
    pthread_t t, u;
    struct node *n = make();
    (void)own;
    atomic_store(&base.next, &base);
    atomic_store(&n->next, &base);
    atomic_store(&top, n);
#ifdef SECOND
    pthread_create(&u, NULL, second, NULL);
    pthread_create(&t, NULL, first, NULL);
#else
    pthread_create(&t, NULL, first, NULL);
    pthread_create(&u, NULL, second, NULL);
#endif
    atomic_store(&z, 1);
    pthread_join(t, NULL);
    pthread_join(u, NULL);
    return 0;
}
