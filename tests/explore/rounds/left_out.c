/* A race with what a thread did in a round that is void, and so is left out: the other thread has
 * learnt by a relaxed load that the loop was left. Nobody comes to the access while the thread
 * stands in that round, and when it has gone on the round is not there. */
// finding: -DREADS sc=data-race tso=data-race rc11=data-race
// finding: -DREADS -DORDERED sc=pass tso=pass rc11=pass
// finding: -DREADS -DNOT_THAT sc=pass tso=pass rc11=pass
// finding: -DREADS -DSECOND sc=data-race tso=data-race rc11=data-race
// finding: -DATOMICALLY sc=data-race tso=data-race rc11=data-race
// finding: -DSTORES sc=data-race tso=data-race rc11=data-race
// finding: -DSTORES -DATOMICALLY sc=data-race tso=data-race rc11=data-race
// finding: -DSTORES -DATOMIC_READ sc=data-race tso=data-race rc11=data-race
// finding: -DTOUCHES sc=data-race tso=data-race rc11=data-race
// finding: -DWRITES_BACK sc=data-race tso=data-race rc11=data-race
// finding: -DWRITES_BACK -DMORE sc=data-race tso=data-race rc11=data-race
// finding: -DRETRIES sc=data-race tso=data-race rc11=data-race
// finding: -DFREES sc=use-after-free tso=use-after-free rc11=use-after-free
// finding: -DOWN_BLOCK sc=pass tso=pass rc11=pass
// finding: -DREADS -DTWINS sc=data-race tso=data-race rc11=data-race
#include "rounds.h"

static atomic_int go, left, other;
static int data = 1;
#ifdef MORE
static int calm;
#endif
#if defined FREES || defined OWN_BLOCK
static int *_Atomic block;
#elif defined RETRIES
static int second;
static int *_Atomic top = &data;
#endif

#ifdef ORDERED
#define TELL  memory_order_release
#define LEARN memory_order_acquire
#else
#define TELL  memory_order_relaxed
#define LEARN memory_order_relaxed
#endif

static int quit(void)
{
#if defined READS || defined ATOMICALLY
    return data == 7;
#elif defined STORES
    int was = data;
    data = 5;
    atomic_signal_fence(memory_order_seq_cst);
    data = was;
    return 0;
#elif defined TOUCHES
    return __atomic_load_n(&data, __ATOMIC_RELAXED) == 7;
#elif defined WRITES_BACK
#ifdef MORE /* not only atomics: what comes of a round is not tried out */
    if (calm)
        return 1;
#endif
    return __atomic_fetch_add(&data, 0, __ATOMIC_RELAXED) == 7;
#elif defined FREES || defined OWN_BLOCK
    int *b = atomic_load_explicit(&block, memory_order_acquire);
    return b && *b == 7;
#else
    return 0;
#endif
}

static void *waits(void *unused)
{
#ifdef RETRIES /* the try that fails has read data, that which does not has not */
    int *t = atomic_load_explicit(&top, memory_order_acquire);
    while (*t != 7 && !atomic_compare_exchange_strong_explicit(&top, &t, NULL, memory_order_relaxed,
                                                               memory_order_relaxed))
        continue;
    if (t == &data)
        return unused;
#else
    while (!atomic_load_explicit(&go, memory_order_relaxed))
        if (quit())
            return unused;
#endif
#ifdef SECOND /* a loop before that is left, too, whose round has one event more */
    while (!atomic_load_explicit(&other, memory_order_relaxed))
        if (data == 8)
            return unused;
#endif
    atomic_fetch_add_explicit(&left, 1, TELL);
    return unused;
}

static void *accesses(void *unused)
{
#ifdef OWN_BLOCK /* nobody else knows of it yet */
    int *own = malloc(sizeof *own);
    *own = 1;
    if (atomic_load_explicit(&left, LEARN))
        *own = 2;
    atomic_store_explicit(&block, own, memory_order_release);
#elif defined FREES
    int *own = atomic_load_explicit(&block, memory_order_relaxed);
    if (atomic_load_explicit(&left, LEARN))
        free(own);
#else
    if (atomic_load_explicit(&left, LEARN) ==
#ifdef TWINS
        2
#else
        1
#endif
    )
#if defined NOT_THAT
        assert(left);
#elif defined ATOMICALLY
        __atomic_store_n(&data, 2, __ATOMIC_RELAXED);
#elif defined ATOMIC_READ
        (void)__atomic_load_n(&data, __ATOMIC_RELAXED);
#elif defined STORES || defined WRITES_BACK
        assert(data);
#else
        data = 2;
#endif
#endif
    return unused;
}

int main(void)
{
#ifdef FREES
    block = calloc(1, sizeof *block);
#endif
    pthread_t one = start(waits, 0);
#ifdef TWINS
    pthread_t twin = start(waits, 0);
#endif
    pthread_t two = start(accesses, 0);
    atomic_store_explicit(&go, 1, memory_order_release);
    atomic_store_explicit(&other, 1, memory_order_release);
#ifdef RETRIES
    atomic_store_explicit(&top, &second, memory_order_release);
#endif
    finish(one);
    finish(two);
#ifdef TWINS
    finish(twin);
#endif
    return 0;
}
