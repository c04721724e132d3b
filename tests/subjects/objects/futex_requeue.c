/* FUTEX_CMP_REQUEUE: compares, wakes some, moves the rest to the second word. */
#define _GNU_SOURCE
#include "../help.h"
#include <limits.h>
#include <linux/futex.h>
#include <sched.h>
#include <stdatomic.h>
#include <stdint.h>
#include <sys/syscall.h>
#include <unistd.h>

static atomic_int first, second;

static void *wait_first(void *unused)
{
    assert(syscall(SYS_futex, &first, FUTEX_WAIT_PRIVATE, 0, NULL, NULL, 0) == 0);
    return unused;
}

static long requeue(int wake, int move, int expected)
{
    return syscall(SYS_futex, &first, FUTEX_CMP_REQUEUE_PRIVATE, wake, (uintptr_t)move, &second,
                   expected);
}

int main(void)
{
    pthread_t a = start(wait_first, NULL);
    pthread_t b = start(wait_first, NULL);
    assert(requeue(1, INT_MAX, 1) == -1 && errno == EAGAIN); /* first holds 0 */
    /* Move both, one call or two; then nothing is left on the first word. */
    for (long moved = 0; moved < 2;) {
        long now = requeue(0, INT_MAX, 0);
        assert(now >= 0 && now <= 2);
        moved += now;
        sched_yield();
    }
    assert(syscall(SYS_futex, &first, FUTEX_WAKE_PRIVATE, INT_MAX, NULL, NULL, 0) == 0);
    assert(syscall(SYS_futex, &second, FUTEX_WAKE_PRIVATE, 1, NULL, NULL, 0) == 1);
    assert(syscall(SYS_futex, &second, FUTEX_WAKE_PRIVATE, INT_MAX, NULL, NULL, 0) == 1);
    finish(a);
    finish(b);
    return 0;
}
