/* As poll_mutex.c, with a lock whose word is 0 again when it is free: the same value as before
 * does not mean that nothing has changed beside it. */
// outcomes: sc=1,2 tso=1,2 rc11=1,2
#include "rounds.h"

static atomic_int word;
static int ready;

static void lock(void)
{
    for (int free = 0; !atomic_compare_exchange_strong(&word, &free, 1); free = 0)
        ;
}

static void unlock(void)
{
    atomic_fetch_sub(&word, 1);
}

static void *set(void *unused)
{
    for (int i = 1; i <= 2; i++) {
        lock();
        ready = i;
        unlock();
    }
    return unused;
}

int main(void)
{
    pthread_t setter = start(set, 0);
    int seen;
    do {
        lock();
        seen = ready;
        unlock();
    } while (!seen);
    finish(setter);
    outcome(seen);
    return 0;
}
