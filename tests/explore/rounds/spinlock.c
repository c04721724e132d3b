/* N threads take a lock once. Test-and-set, compare-exchange and tickets: one execution for each
 * order. Test and test-and-set: also which of the words that were 0 the test has read. */
// counts: -DN=3 -DTAS sc=6 tso=6 rc11=6
// counts: -DN=4 -DTAS sc=24 tso=24 rc11=24 blocked=0
// counts: -DN=4 -DEXCHANGED sc=24 tso=24 rc11=24 blocked=0
// counts: -DN=4 -DCAS sc=24 tso=24 rc11=24 blocked=0
// counts: -DN=4 -DTICKET sc=24 tso=24 rc11=24 blocked=0
// counts: -DN=6 -DTICKET sc=720 tso=720 rc11=720 blocked=0
// counts: -DN=3 -DTTAS sc=36 tso=36 rc11=36 blocked=4
// outcomes: -DN=2 -DTTAS sc=1,2 tso=1,2 rc11=1,2
// outcomes: -DN=2 -DTAS sc=1,2 tso=1,2 rc11=1,2
// outcomes: -DN=2 -DCAS sc=1,2 tso=1,2 rc11=1,2
// outcomes: -DN=2 -DTICKET sc=1,2 tso=1,2 rc11=1,2
// finding: -DN=2 -DTAS -DRELAXED sc=data-race tso=data-race rc11=data-race
#include "rounds.h"

#ifdef RELAXED
#define ACQUIRE memory_order_relaxed
#else
#define ACQUIRE memory_order_acquire
#endif

static atomic_int word, next;
static int order;

static void lock(void)
{
#if defined TAS
    while (atomic_exchange_explicit(&word, 1, ACQUIRE))
        ;
#elif defined EXCHANGED /* with a value of its own: it does not write back what it read */
    while (atomic_fetch_or_explicit(&word, 1, ACQUIRE) & 1)
        ;
#elif defined CAS
    for (int zero = 0;
         !atomic_compare_exchange_strong_explicit(&word, &zero, 1, ACQUIRE, memory_order_relaxed);
         zero = 0)
        ;
#elif defined TTAS
    do
        while (atomic_load_explicit(&word, memory_order_relaxed))
            ;
    while (atomic_exchange_explicit(&word, 1, ACQUIRE));
#else
    int ticket = atomic_fetch_add_explicit(&next, 1, memory_order_relaxed);
    while (atomic_load_explicit(&word, ACQUIRE) != ticket)
        ;
#endif
}

static void unlock(void)
{
#ifdef TICKET
    int now = atomic_load_explicit(&word, memory_order_relaxed);
    atomic_store_explicit(&word, now + 1, memory_order_release);
#else
    atomic_store_explicit(&word, 0, memory_order_release);
#endif
}

static void *work(void *argument)
{
    lock();
    order = order * 2 + (int)(long)argument;
    unlock();
    return NULL;
}

int main(void)
{
    pthread_t thread[N];
    for (long i = 0; i < N; i++)
        thread[i] = start(work, i);
    for (int i = 0; i < N; i++)
        finish(thread[i]);
    outcome(order);
    return 0;
}
