/* Herlihy and Wing's queue: a dequeue goes through all slots and takes each one's value by an
 * exchange with 0, again and again until it finds one. */
// outcomes: sc=1,2 tso=1,2 rc11=1,2
// outcomes: -DDEQUEUES=2 sc=6,9 tso=6,9 rc11=6,9
// finding: -DDEQUEUES=3 sc=livelock tso=livelock rc11=livelock
#include "rounds.h"

#ifndef DEQUEUES
#define DEQUEUES 1
#endif

static atomic_int slot[2], back;

static void *enqueue(void *argument)
{
    int at = atomic_fetch_add(&back, 1);
    atomic_store(&slot[at], (int)(long)argument);
    return NULL;
}

static int dequeue(void)
{
    for (;;) {
        int range = atomic_load(&back);
        for (int i = 0; i < range; i++) {
            int value = atomic_exchange(&slot[i], 0);
            if (value)
                return value;
        }
    }
}

int main(void)
{
    pthread_t a = start(enqueue, 1), b = start(enqueue, 2);
    int result = 0;
    for (int i = 0; i < DEQUEUES; i++)
        result = result * 4 + dequeue();
    finish(a);
    finish(b);
    outcome(result);
    return 0;
}
