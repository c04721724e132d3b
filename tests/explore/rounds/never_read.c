/* What a round would do with a value is tried before the value is read, and some are never read:
 * nobody sees the 0 that was there before main stored 1, with which there would be no end. */
// counts: sc=1 tso=1 rc11=1
#include "rounds.h"

static atomic_uint number, done;

static void *change(void *unused)
{
    atomic_store(&number, 3);
    return unused;
}

static void *wait(void *unused)
{
    for (;;) {
        unsigned left = atomic_load(&number), halves = 0;
        while (left != 1) {
            left /= 2;
            halves++;
        }
        if (halves == 1)
            break;
    }
    atomic_store(&done, 1);
    return unused;
}

int main(void)
{
    atomic_store(&number, 1);
    pthread_t a = start(change, 0), b = start(wait, 0);
    finish(a);
    finish(b);
    return 0;
}
