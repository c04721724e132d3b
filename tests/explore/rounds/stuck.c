/* Threads that cannot go on, and such that could: only the first are a finding. */
// finding: -DNOBODY sc=livelock tso=livelock rc11=livelock
// finding: -DCIRCLE sc=livelock tso=livelock rc11=livelock
// finding: -DLOST_UNLOCK sc=livelock tso=livelock rc11=livelock
// finding: -DLOST_UNLOCK -DN=3 sc=livelock tso=livelock rc11=livelock
// finding: -DLOST_CAS sc=livelock tso=livelock rc11=livelock
// finding: -DLOST_MUTEX sc=livelock tso=livelock rc11=livelock
// finding: -DPOLITE sc=livelock tso=livelock rc11=livelock
// finding: -DADDS sc=livelock tso=livelock rc11=livelock
// finding: -DMIXED sc=livelock tso=livelock rc11=livelock
// finding: -DUNDER_MUTEX sc=livelock tso=livelock rc11=livelock
// finding: -DHELD_MUTEX sc=livelock tso=livelock rc11=livelock
// finding: -DOVERTAKEN sc=pass tso=pass rc11=livelock
// finding: -DSTALE sc=pass tso=pass rc11=pass
// finding: -DCHOICE sc=pass tso=pass rc11=pass
// finding: -DASSUME sc=pass tso=pass rc11=pass
// finding: -DTIMED sc=pass tso=pass rc11=pass
// finding: -DTRY sc=pass tso=pass rc11=pass
// finding: -DTRY_LOST sc=livelock tso=livelock rc11=livelock
// finding: -DCOND sc=pass tso=pass rc11=pass
// finding: -DDETACHED sc=pass tso=pass rc11=pass
#include <errno.h>
#include <plumb.h>
#include <sched.h>
#include <time.h>

#include "rounds.h"

#ifndef N
#define N 2
#endif

static atomic_int a, b;
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t condition = PTHREAD_COND_INITIALIZER;
static int plain __attribute__((unused));

static void wait_for(atomic_int *word)
{
    while (!atomic_load(word))
        sched_yield();
}

static void *work(void *argument)
{
    long me = (long)argument;
#if defined NOBODY
    if (me)
        wait_for(&a);
#elif defined CIRCLE
    wait_for(me ? &a : &b);
    atomic_store(me ? &b : &a, 1);
#elif defined LOST_UNLOCK /* two of them may wait, and write back what they read */
    while (atomic_exchange(&a, 1))
        ;
    if (me)
        atomic_store(&a, 0);
#elif defined LOST_CAS
    for (int zero = 0; !atomic_compare_exchange_weak(&a, &zero, 1); zero = 0)
        ;
    if (me)
        atomic_store(&a, 0);
#elif defined LOST_MUTEX
    if (me)
        while (pthread_mutex_trylock(&mutex))
            sched_yield();
    else
        pthread_mutex_lock(&mutex);
#elif defined POLITE /* each lets the other go first */
    atomic_store(me ? &a : &b, 1);
    while (atomic_load(me ? &b : &a))
        sched_yield();
    atomic_store(me ? &a : &b, 0);
#elif defined ADDS   /* a reader adds itself and takes it back as long as there is a writer */
    if (me)
        while (atomic_fetch_add(&a, 1) & 64)
            atomic_fetch_sub(&a, 1);
    else
        atomic_fetch_or(&a, 64);
#elif defined MIXED  /* one spins, one waits for a lock that the first holds */
    pthread_mutex_lock(&mutex);
    if (me)
        wait_for(&a);
    pthread_mutex_unlock(&mutex);
    atomic_store(&a, 1);
#elif defined UNDER_MUTEX
    int seen;
    do {
        pthread_mutex_lock(&mutex);
        seen = plain == me + 1;
        pthread_mutex_unlock(&mutex);
    } while (!seen);
#elif defined HELD_MUTEX
    if (me) {
        pthread_mutex_lock(&mutex);
        wait_for(&a);
        pthread_mutex_unlock(&mutex);
    } else {
        while (!atomic_load(&b)) {
            pthread_mutex_lock(&mutex);
            pthread_mutex_unlock(&mutex);
        }
        atomic_store(&a, 1);
    }
#elif defined OVERTAKEN /* what lets it go may be older than what makes it wait */
    if (me) {
        atomic_store_explicit(&a, 1, memory_order_relaxed);
        atomic_store_explicit(&b, 1, memory_order_relaxed);
        while (atomic_load_explicit(&a, memory_order_relaxed))
            ;
    } else {
        while (!atomic_load_explicit(&b, memory_order_relaxed))
            ;
        atomic_store_explicit(&a, 0, memory_order_relaxed);
    }
#elif defined STALE     /* the newest write lets it go; an older one could be read for a while */
    if (me)
        atomic_store_explicit(&a, 1, memory_order_relaxed);
    else
        while (!atomic_load_explicit(&a, memory_order_relaxed))
            ;
#elif defined CHOICE
    if (me)
        while (plumb_choose(2))
            ;
#elif defined ASSUME
    if (me)
        for (;;) {
            int seen = atomic_load(&a);
            plumb_assume(seen);
            if (seen)
                break;
        }
    else
        atomic_store(&a, 1);
#elif defined TIMED
    struct timespec soon = {1, 0};
    pthread_mutex_lock(&mutex);
    while (me && pthread_cond_timedwait(&condition, &mutex, &soon) != ETIMEDOUT)
        ;
    pthread_mutex_unlock(&mutex);
#elif defined TRY
    while (pthread_mutex_trylock(&mutex))
        sched_yield();
    plain++;
    pthread_mutex_unlock(&mutex);
#elif defined TRY_LOST
    while (pthread_mutex_trylock(&mutex))
        sched_yield();
    plain++;
#elif defined COND
    pthread_mutex_lock(&mutex);
    if (me) {
        while (!plain)
            pthread_cond_wait(&condition, &mutex);
    } else {
        plain = 1;
        pthread_cond_broadcast(&condition);
    }
    pthread_mutex_unlock(&mutex);
#else
    if (!me)
        wait_for(&a);
#endif
    (void)me;
    return NULL;
}

int main(void)
{
    pthread_t thread[N];
    for (long i = 0; i < N; i++)
        thread[i] = start(work, i);
#ifdef DETACHED
    pthread_detach(thread[0]);
    finish(thread[1]);
#else
    for (int i = 0; i < N; i++)
        finish(thread[i]);
#endif
    return 0;
}
