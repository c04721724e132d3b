/* The word goes 0, 1, 0. Two compare-exchanges fail, the third succeeds on the 0 that the second
 * found; the first one, had it read that 0, would not have failed. */
// outcomes: sc=0,2,3 tso=0,2,3 rc11=0,2,3
#include "rounds.h"

static atomic_int word, begun;

static void *change(void *unused)
{
    if (atomic_load(&begun)) {
        atomic_store(&word, 1);
        atomic_store(&word, 0);
    }
    return unused;
}

int main(void)
{
    pthread_t a = start(change, 0);
    int old = atomic_load(&word), failed = 0;
    for (;;) {
        if (!failed)
            atomic_store(&begun, 1);
        if (atomic_compare_exchange_strong(&word, &old, 7))
            break;
        failed = 1;
    }
    int last = old;
    finish(a);
    outcome(last ? 3 : failed ? 2 : 0);
    return 0;
}
