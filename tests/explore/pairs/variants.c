/* A load and the compare-exchange that goes with it (src/explore/pairs.c): where the two are one
 * access, and where they must not be. pairs.sh runs each with and without: `yes` says that fewer
 * graphs are given up, `no` that pairs are given up, and none; what is found, and in how many
 * executions, is the same. */
// pairs: -DCOUNT yes
// pairs: -DTOGGLE yes
// pairs: -DTOGGLE -DSTRONG yes
// pairs: -DEXITS yes
// pairs: -DLEAVES yes
// pairs: -DBEFORE yes
// pairs: -DSTORED no
// pairs: -DSTORED_FIRST yes
// pairs: -DBETWEEN no
// pairs: -DKNOWN no
// pairs: -DSHOWN no
// pairs: -DPASSED no
// pairs: -DREUSED no
// pairs: -DFREED no
// pairs: -DFREED_LAST yes
// pairs: -DRACES no
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

#ifdef STRONG
#define LOAD  memory_order_seq_cst
#define OK    memory_order_seq_cst
#define FAILS memory_order_seq_cst
#else
#define LOAD  memory_order_acquire
#define OK    memory_order_release
#define FAILS memory_order_acquire
#endif

#if defined FREED || defined FREED_LAST || defined RACES || defined REUSED

struct node {
    struct node *_Atomic next;
};
static struct node *_Atomic top;

static void push(struct node *n)
{
    for (;;) {
        struct node *old = atomic_load_explicit(&top, LOAD);
        atomic_store_explicit(&n->next, old, memory_order_relaxed);
        if (atomic_compare_exchange_strong_explicit(&top, &old, n, OK, FAILS))
            return;
    }
}

static struct node *pop(void)
{
    for (;;) {
        struct node *old = atomic_load_explicit(&top, LOAD);
        if (!old)
            return NULL;
        struct node *next = atomic_load_explicit(&old->next, memory_order_relaxed);
        if (atomic_compare_exchange_strong_explicit(&top, &old, next, OK, FAILS))
            return old;
    }
}

/* What comes of the node shows only to a round of another pop that fails. */
static void done_with(struct node *n)
{
#ifdef FREED
    free(n);
#elif defined RACES
    if (n)
        *(struct node **)(void *)&n->next = NULL;
#elif defined REUSED
    if (n)
        push(n);
#else
    (void)n;
#endif
}

static void *first(void *argument)
{
    done_with(pop());
    return argument;
}

static void *second(void *argument)
{
    (void)pop();
    return argument;
}

static void *third(void *argument)
{
#ifdef REUSED
    (void)pop();
    (void)pop();
#endif
    return argument;
}

static void before(void)
{
    push(malloc(sizeof(struct node)));
    push(malloc(sizeof(struct node)));
}

static void after(void)
{
#ifdef FREED_LAST
    for (struct node *n; (n = pop()) != NULL;)
        free(n);
#endif
}

#else

static atomic_int x, y = 1, shown;

static void *first(void *argument)
{
#ifdef KNOWN
    if (atomic_load_explicit(&y, memory_order_acquire) == 1)
        return argument;
#endif
#ifdef BEFORE
    int old = atomic_load_explicit(&x, LOAD);
    do
        atomic_thread_fence(memory_order_seq_cst);
    while (!atomic_compare_exchange_weak_explicit(&x, &old, 1 - old, OK, FAILS));
#else
    for (;;) {
        int old = atomic_load_explicit(&x, LOAD), next = old + 1;
#ifdef TOGGLE
        next = 1 - old;
#elif defined EXITS
        if (old == 1)
            break;
#elif defined LEAVES
        if (atomic_load_explicit(&y, memory_order_relaxed) == old)
            break;
#elif defined BETWEEN || defined KNOWN
        next = atomic_load_explicit(&y, memory_order_relaxed);
#elif defined PASSED
        atomic_store_explicit(&shown, old + 1, memory_order_relaxed);
        if (old == 5)
            break;
#elif defined SHOWN
        atomic_store_explicit(&shown, old, memory_order_relaxed);
#endif
        if (atomic_compare_exchange_strong_explicit(&x, &old, next, OK, FAILS))
            break;
    }
#endif
    return argument;
}
#ifdef PASSED /* a round that fails has stored what third() reads, and its thread leaves then */
static void *second(void *argument)
{
    return argument;
}
#else
#define second first
#endif

static void *third(void *argument)
{
#ifdef STORED
    atomic_store_explicit(&x, 1, memory_order_release);
#elif defined KNOWN
    atomic_store_explicit(&y, 2, memory_order_release);
    atomic_store_explicit(&y, 3, memory_order_release);
#elif defined BETWEEN
    atomic_fetch_add_explicit(&y, 1, memory_order_relaxed);
#elif defined PASSED
    atomic_exchange_explicit(&x, 5, memory_order_acq_rel);
    int before = atomic_load_explicit(&shown, memory_order_relaxed);
    assert(before != 1 || atomic_exchange_explicit(&x, 6, memory_order_acq_rel) != 5);
#elif defined SHOWN
    assert(atomic_load_explicit(&shown, memory_order_relaxed) != 1);
#else
    first(NULL);
#endif
    return argument;
}

static void before(void)
{
#ifdef STORED_FIRST
    atomic_store_explicit(&x, 3, memory_order_relaxed);
#endif
}

static void after(void) {}

#endif

int main(void)
{
    pthread_t t[3];
    before();
    pthread_create(&t[0], NULL, first, NULL);
    pthread_create(&t[1], NULL, second, NULL);
    pthread_create(&t[2], NULL, third, NULL);
    for (int i = 0; i < 3; i++)
        pthread_join(t[i], NULL);
    after();
    return 0;
}
