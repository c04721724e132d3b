/* What a round would do with a value is tried before the value is read, and some are never read:
 * nobody sees the 0 that was there before main stored 1, with which there would be no end. */
// counts: sc=1 tso=1 rc11=1
// counts: -DDELAYS sc=1 tso=1 rc11=1
// options: --hang-seconds 1
#include "rounds.h"

static atomic_ulong number, done;

static void *change(void *unused)
{
    atomic_store(&number, 3);
    return unused;
}

static void *wait(void *unused)
{
    for (;;) {
        unsigned long left = atomic_load(&number), halves = 0;
#ifdef DELAYS
        for (unsigned long i = 1; i != left; i++)
            __builtin_ia32_pause();
        halves = left / 3;
#else
        while (left != 1) {
            left /= 2;
            halves++;
        }
#endif
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
