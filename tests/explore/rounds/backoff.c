/* How long a thread waits between two tries is nothing that others see: one execution for each
 * order, as without. If the delay is also what ends the loop, it is. */
// counts: -DEXPONENTIAL sc=2 tso=2 rc11=2
// counts: -DCAPPED sc=2 tso=2 rc11=2
// counts: -DSLEEPS sc=2 tso=2 rc11=2
// outcomes: -DCAPPED sc=1,2 tso=1,2 rc11=1,2
// outcomes: -DGIVES_UP sc=1,2,3 tso=1,2,3 rc11=1,2,3
// outcomes: -DTELLS sc=1,2,6,9 tso=1,2,6,9 rc11=1,2,6,9
#include <time.h>
#include <unistd.h>

#include "rounds.h"

static atomic_int word, told;
static int order;

static void *work(void *argument)
{
    int delay = 1, me = (int)(long)argument;
    while (atomic_exchange_explicit(&word, 1, memory_order_acquire)) {
#if defined EXPONENTIAL
        for (int i = 0; i < delay; i++)
            __builtin_ia32_pause();
        delay *= 2;
#elif defined CAPPED
        for (int i = 0; i < delay; i++)
            __builtin_ia32_pause();
        delay = delay < 8 ? delay * 2 : 8;
#elif defined SLEEPS
        usleep((unsigned)delay);
        delay *= 2;
#elif defined GIVES_UP
        for (int i = 0; i < delay; i++)
            __builtin_ia32_pause();
        delay *= 2;
        if (delay == 4)
            return NULL;
#else
        for (int i = 0; i < delay; i++)
            __builtin_ia32_pause();
        delay = 2;
#endif
    }
#ifdef TELLS
    atomic_fetch_add_explicit(&told, (delay - 1) << me, memory_order_relaxed);
#endif
#ifdef GIVES_UP
    order |= me + 1;
#else
    order = order * 2 + me;
#endif
    atomic_store_explicit(&word, 0, memory_order_release);
    return NULL;
}

int main(void)
{
    pthread_t a = start(work, 0), b = start(work, 1);
    finish(a);
    finish(b);
    outcome(order + 4 * atomic_load(&told));
    return 0;
}
