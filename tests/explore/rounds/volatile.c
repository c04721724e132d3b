/* Volatile flags: they are relaxed atomics, and so are loops that look at them. */
// counts: sc=2 tso=2 rc11=2
// outcomes: sc=1,2 tso=1,2 rc11=1,2
// finding: -DNOBODY sc=livelock tso=livelock rc11=livelock
#include "rounds.h"

static volatile int flag;

static void *set(void *unused)
{
#ifndef NOBODY
    flag = 1;
    flag = 2;
#endif
    return unused;
}

int main(void)
{
    pthread_t a = start(set, 0);
    int value;
    while (!(value = flag))
        ;
    finish(a);
    outcome(value);
    return 0;
}
