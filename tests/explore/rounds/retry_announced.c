/* A failed compare-exchange is followed by a store that another thread waits for before it changes
 * the word again. Cutting the second failure out would make the first one read a value that is
 * written only after it: the value retried must be compared from the second round on. */
// outcomes: sc=0,2,3,5 tso=0,2,3,5 rc11=0,2,3,5
#include "rounds.h"

static atomic_int word, announced;

static void *change(void *unused)
{
    atomic_store(&word, 1);
    return unused;
}

static void *change_again(void *unused)
{
    if (atomic_load(&announced))
        atomic_store(&word, 2);
    return unused;
}

int main(void)
{
    pthread_t a = start(change, 0), b = start(change_again, 0);
    int old = atomic_load(&word), told = 0;
    while (!atomic_compare_exchange_strong(&word, &old, 7)) {
        if (!told)
            atomic_store(&announced, 1);
        told = 1;
    }
    finish(a);
    finish(b);
    outcome(old * 2 + told);
    return 0;
}
