/* A loop inside another: it waits until something has changed, and then the outer one looks again.
 * Whatever the inner one sees, the outer round comes to nothing, so a thread waits before it. Not
 * so where something is done between the two. */
// counts: sc=3 tso=3 rc11=3 blocked=0
// counts: -DTOLD sc=4 tso=4 rc11=4
// outcomes: -DTOLD sc=0,1 tso=0,1 rc11=0,1
// outcomes: -DLEAVES sc=1,2 tso=1,2 rc11=1,2
// outcomes: -DCHANGES sc=1,2 tso=1,2 rc11=1,2
// finding: -DLOST -DCOUNT sc=livelock tso=livelock rc11=livelock
// finding: -DLOST_SLOT -DCOUNT sc=livelock tso=livelock rc11=livelock
// finding: -DBACK -DCOUNT sc=livelock tso=livelock rc11=livelock
#include "rounds.h"

static atomic_int slot, granted, done;
static int times, left;

static void *waits(void *argument)
{
    int round = 0;
    (void)round;
    for (;;) {
        int seen = atomic_load(&slot);
        if (atomic_load(&granted) == 2)
            break;
#ifdef CHANGES /* another value at the head of the outer loop */
        round = 1;
#endif
        while (atomic_load(&slot) == seen)
#ifdef LEAVES /* a way out of both */
            if (atomic_load(&granted) == 1) {
                left = 1;
                return argument;
            }
#else
            ;
#endif
#ifdef TOLD
        times = seen;
#endif
    }
    times += round;
    left = 2;
    atomic_store(&done, 1); /* else it would come last, as all who only read */
    return argument;
}

static void *grants(void *argument)
{
    atomic_store(&granted, 1);
    atomic_fetch_add(&slot, 1);
#ifndef LOST
    atomic_store(&granted, 2);
#endif
#if !defined LOST_SLOT && !defined BACK
    atomic_fetch_add(&slot, 1);
#endif
    return argument;
}

/* What the inner loop goes on for is there again, and stays: who has read an outdated `granted`
 * waits there for good. */
static void *takes_back(void *argument)
{
    while (atomic_load(&granted) != 2)
        ;
    atomic_store(&slot, 0);
    return argument;
}

int main(void)
{
    pthread_t one = start(waits, 0), other = start(grants, 0);
#ifdef BACK
    finish(start(takes_back, 0));
#else
    (void)takes_back;
#endif
    finish(one);
    finish(other);
#ifdef LEAVES
    outcome(left);
#elif defined CHANGES
    outcome(1 + times);
#elif defined TOLD
    outcome(times);
#endif
    return 0;
}
