/* Peterson's, Dekker's and the bakery algorithm: right with seq_cst, wrong without. */
// finding: -DPETERSON sc=pass tso=pass rc11=pass
// finding: -DDEKKER sc=pass tso=pass rc11=pass
// finding: -DBAKERY sc=pass tso=pass rc11=pass
// finding: -DPETERSON -DRELEASED sc=pass tso=data-race rc11=data-race
// finding: -DDEKKER -DRELEASED sc=pass tso=data-race rc11=data-race
// finding: -DBAKERY -DRELEASED sc=pass tso=data-race rc11=data-race
// outcomes: -DPETERSON sc=1,2 tso=1,2 rc11=1,2
// outcomes: -DDEKKER sc=1,2 tso=1,2 rc11=1,2
// outcomes: -DBAKERY sc=1,2 tso=1,2 rc11=1,2
#include "rounds.h"

#ifdef RELEASED
#define LOAD(p)     atomic_load_explicit(p, memory_order_acquire)
#define STORE(p, v) atomic_store_explicit(p, v, memory_order_release)
#else
#define LOAD(p)     atomic_load(p)
#define STORE(p, v) atomic_store(p, v)
#endif

static atomic_int wants[2], turn, number[2];
static int order;

static void lock(int me)
{
    int other = 1 - me;
    STORE(&wants[me], 1);
#if defined PETERSON
    STORE(&turn, other);
    while (LOAD(&wants[other]) && LOAD(&turn) == other)
        ;
#elif defined DEKKER
    while (LOAD(&wants[other]))
        if (LOAD(&turn) != me) {
            STORE(&wants[me], 0);
            while (LOAD(&turn) != me)
                ;
            STORE(&wants[me], 1);
        }
#else
    int mine = LOAD(&number[other]) + 1;
    STORE(&number[me], mine);
    STORE(&wants[me], 0);
    while (LOAD(&wants[other]))
        ;
    for (;;) {
        int his = LOAD(&number[other]);
        if (!his || mine < his || (mine == his && me < other))
            break;
    }
#endif
}

static void unlock(int me)
{
#if defined PETERSON
    STORE(&wants[me], 0);
#elif defined DEKKER
    STORE(&turn, 1 - me);
    STORE(&wants[me], 0);
#else
    STORE(&number[me], 0);
#endif
}

static void *work(void *argument)
{
    int me = (int)(long)argument;
    lock(me);
    order = order * 2 + me;
    unlock(me);
    return NULL;
}

int main(void)
{
    pthread_t a = start(work, 0), b = start(work, 1);
    finish(a);
    finish(b);
    if (order != 1 && order != 2)
        abort();
    outcome(order);
    return 0;
}
