/* A thread that waits while everybody else has ended, or stands at a false assumption, still reads
 * what it could have read before. */
// outcomes: -DUNJOINED run=some sc=1 tso=1 rc11=1
// outcomes: -DASSUMES run=some sc=1 tso=1 rc11=1
#include "rounds.h"
#include <plumb.h>

static atomic_int flag, told;

static void *wait(void *argument)
{
    (void)argument;
    while (atomic_load_explicit(&flag, memory_order_relaxed) != 1)
        ;
    atomic_store_explicit(&told, 1, memory_order_relaxed);
#ifdef UNJOINED
    outcome(1);
#endif
    return NULL;
}

static void *do_nothing(void *argument)
{
    return argument;
}

int main(void)
{
    (void)start(wait, 0);
    pthread_t other = start(do_nothing, 0);
    atomic_store_explicit(&flag, 1, memory_order_relaxed);
    atomic_store_explicit(&flag, 2, memory_order_relaxed); /* too late for some */
    finish(other); /* the first one has found that it has to wait */
#ifdef ASSUMES
    plumb_assume(atomic_load_explicit(&told, memory_order_relaxed) == 1);
    outcome(1);
#endif
    return 0;
}
