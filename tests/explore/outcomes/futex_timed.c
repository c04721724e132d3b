/* Two timed waits and a waker of one. */
#include "outcome.h"
#include <linux/futex.h>
#include <sys/syscall.h>
#include <unistd.h>

static atomic_uint word;
static atomic_int waited, woken;

static void *sleeper(void *weight)
{
    struct timespec second = {1, 0};
    long status = syscall(SYS_futex, &word, FUTEX_WAIT, 0, &second, NULL, 0);
    if (status == 0)
        atomic_fetch_add(&waited, (int)(long)weight);
    return NULL;
}

int main(void)
{
    pthread_t a = start(sleeper, 1), b = start(sleeper, 2);
    atomic_store(&woken, (int)syscall(SYS_futex, &word, FUTEX_WAKE, 1, NULL, NULL, 0));
    finish(a);
    finish(b);
    outcome(atomic_load(&waited) + 4 * atomic_load(&woken));
    return 0;
}
