/* A wait that finds the word changed, one that is woken, and what the waker is told. */
#include "outcome.h"
#include <linux/futex.h>
#include <sys/syscall.h>
#include <unistd.h>

static atomic_uint word;
static atomic_int waited, woken;

static void *sleeper(void *weight)
{
    long status = syscall(SYS_futex, &word, FUTEX_WAIT, 0, NULL, NULL, 0);
    if (status == 0)
        atomic_fetch_add(&waited, (int)(long)weight);
    return NULL;
}

static void *waker(void *unused)
{
    atomic_store(&word, 1);
    atomic_store(&woken, (int)syscall(SYS_futex, &word, FUTEX_WAKE, 2, NULL, NULL, 0));
    return unused;
}

int main(void)
{
    pthread_t a = start(sleeper, 1), b = start(sleeper, 2), c = start(waker, 0);
    finish(a);
    finish(b);
    finish(c);
    outcome(atomic_load(&waited) + 4 * atomic_load(&woken));
    return 0;
}
