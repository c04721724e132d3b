/* A reader-writer lock whose readers add themselves and take it back when there is a writer. Two
 * readers may disturb each other for ever: a reader's number is read by the other in between. */
// outcomes: -DREADERS=1 sc=0,1 tso=0,1 rc11=0,1
// counts: -DREADERS=1 sc=3 tso=3 rc11=3
// unknown: -DREADERS=2 --unroll 2 --executions 100000
#include "rounds.h"

static atomic_int word;
static int data, seen[2];

static void *read_it(void *argument)
{
    while (atomic_fetch_add_explicit(&word, 1, memory_order_acquire) & 64)
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
    atomic_fetch_sub_explicit(&word, 64, memory_order_release);
    for (int i = 0; i < READERS; i++)
        finish(thread[i]);
    outcome(seen[0] + 2 * seen[1]);
    return 0;
}
