/* A lock that tries a few times and then sleeps: the tries are counted, so they end. */
// outcomes: sc=1,2 tso=1,2 rc11=1,2
// finding: -DLOST sc=deadlock tso=deadlock rc11=deadlock
#define _GNU_SOURCE
#include <linux/futex.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "rounds.h"

static atomic_int word; /* 0 free, 1 taken, 2 taken and somebody sleeps */
static int order;

static void lock(void)
{
    int zero;
    for (int i = 0; i < 3; i++) {
        zero = 0;
        if (atomic_compare_exchange_strong(&word, &zero, 1))
            return;
    }
    while (atomic_exchange(&word, 2))
        syscall(SYS_futex, &word, FUTEX_WAIT_PRIVATE, 2, NULL, NULL, 0);
}

static void unlock(void)
{
#ifdef LOST
    atomic_store(&word, 0);
#else
    if (atomic_exchange(&word, 0) == 2)
        syscall(SYS_futex, &word, FUTEX_WAKE_PRIVATE, 1, NULL, NULL, 0);
#endif
}

static void *work(void *argument)
{
    lock();
    order = order * 2 + (int)(long)argument;
    unlock();
    return NULL;
}

int main(void)
{
    pthread_t a = start(work, 0), b = start(work, 1);
    finish(a);
    finish(b);
    outcome(order);
    return 0;
}
