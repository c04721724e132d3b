/* A reader-writer lock whose readers add themselves and take it back when there is a writer. What
 * one reader adds in passing another may read, but it looks for the writer's bit only, and nobody
 * looks at what a subtraction returns: no round counts, and there are as many executions as with
 * one round and an assumption. With TOLD the writer looks, and rounds that it sees count; with
 * COUNTED the readers do, and may disturb each other for ever. */
// outcomes: -DREADERS=1 sc=0,1 tso=0,1 rc11=0,1
// outcomes: -DREADERS=1 -DTOLD sc=0,1,3 tso=0,1,3 rc11=0,1,3
// outcomes: -DREADERS=2 sc=0,1,2,3 tso=0,1,2,3 rc11=0,1,2,3
// counts: -DREADERS=1 sc=2 tso=2 rc11=2
// counts: -DREADERS=1 -DTOLD sc=3 tso=3 rc11=3
// counts: -DREADERS=2 sc=14 tso=14 rc11=14
// counts: -DREADERS=3 sc=216 tso=216 rc11=216
// unknown: -DREADERS=2 -DCOUNTED --unroll 2 --executions 100000
#include "rounds.h"

static atomic_int word;
static int data, seen[3], told;
#ifdef COUNTED
#define WRITER >= 64
#else
#define WRITER &64
#endif

static void *read_it(void *argument)
{
    while (atomic_fetch_add_explicit(&word, 1, memory_order_acquire) WRITER)
        atomic_fetch_sub_explicit(&word, 1, memory_order_relaxed);
    seen[(long)argument] = data;
    atomic_fetch_sub_explicit(&word, 1, memory_order_release);
    return NULL;
}

int main(void)
{
    pthread_t thread[READERS];
    for (long i = 0; i < READERS; i++)
        thread[i] = start(read_it, i);
    for (int zero = 0; !atomic_compare_exchange_strong_explicit(
             &word, &zero, 64, memory_order_acquire, memory_order_relaxed);
         zero = 0)
        ;
    data = 1;
#ifdef TOLD
    told = atomic_fetch_sub_explicit(&word, 64, memory_order_release) > 64;
#else
    atomic_fetch_sub_explicit(&word, 64, memory_order_release);
#endif
    for (int i = 0; i < READERS; i++)
        finish(thread[i]);
    outcome(seen[0] + 2 * (seen[1] + told));
    return 0;
}
