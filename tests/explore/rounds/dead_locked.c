/* A store that every round repeats, under a lock made of updates that leave the word as it was:
 * the round ends where it began, but another thread has seen what it stored. */
// outcomes: sc=0,1,3,4,5 tso=0,1,3,4,5 rc11=0,1,3,4,5
#include "rounds.h"

static atomic_int word, lock_word;
static struct shared {
    int stored;
} shared = {2};
static int seen;

static void lock(void)
{
    for (int free = 0; !atomic_compare_exchange_strong(&lock_word, &free, 1); free = 0)
        ;
}

static void unlock(void)
{
    atomic_fetch_sub(&lock_word, 1);
}

static void *change(void *unused)
{
    atomic_store(&word, 1);
    return unused;
}

static void *look(void *unused)
{
    lock();
    seen = shared.stored;
    unlock();
    return unused;
}

int main(void)
{
    pthread_t a = start(change, 0), b = start(look, 0);
    int old = atomic_load(&word);
    do {
        lock();
        shared.stored = old;
        unlock();
    } while (!atomic_compare_exchange_strong(&word, &old, 7));
    finish(a);
    finish(b);
    outcome(seen * 2 + old);
    return 0;
}
