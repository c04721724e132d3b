/* Futexes through syscall(): a wait for a value that is not there, counted wakes, bit sets,
 * time-outs, and each error. */
#define _GNU_SOURCE
#include "../help.h"
#include <limits.h>
#include <linux/futex.h>
#include <sched.h>
#include <stdatomic.h>
#include <stdint.h>
#include <sys/syscall.h>
#include <unistd.h>

static atomic_int word, word2;

static long futex(atomic_int *at, int op, int value, const struct timespec *timeout, unsigned bits)
{
    return syscall(SYS_futex, at, op, value, timeout, NULL, bits);
}

static void fails(long result, int error)
{
    assert(result == -1 && errno == error);
    errno = 0;
}

static void *wait_change(void *flag)
{
    int op = FUTEX_WAIT | (int)(intptr_t)flag;
    while (atomic_load(&word) == 0) {
        long result = futex(&word, op, 0, NULL, 0);
        assert(result == 0 || errno == EAGAIN || errno == EINTR);
    }
    return NULL;
}

static void handshake(int flag)
{
    atomic_store(&word, 0);
    pthread_t a = start(wait_change, (void *)(intptr_t)flag);
    pthread_t b = start(wait_change, (void *)(intptr_t)flag);
    atomic_store(&word, 1);
    long woken = futex(&word, FUTEX_WAKE | flag, INT_MAX, NULL, 0);
    assert(woken >= 0 && woken <= 2);
    finish(a);
    finish(b);
}

/* The value never changes, so each return of 0 is one counted wake-up. */
static void *wait_once(void *bits)
{
    unsigned mask = (unsigned)(uintptr_t)bits;
    if (mask)
        assert(futex(&word, FUTEX_WAIT_BITSET_PRIVATE, 5, NULL, mask) == 0);
    else
        assert(futex(&word, FUTEX_WAIT_PRIVATE, 5, NULL, 0) == 0);
    return NULL;
}

static void counted(void)
{
    atomic_store(&word, 5);
    pthread_t threads[3];
    for (size_t i = 0; i < COUNT(threads); i++)
        threads[i] = start(wait_once, NULL);
    for (long woken = 0; woken < 3;) {
        long now = futex(&word, FUTEX_WAKE_PRIVATE, 1, NULL, 0);
        assert(now == 0 || now == 1);
        assert(futex(&word2, FUTEX_WAKE_PRIVATE, 10, NULL, 0) == 0); /* another address */
        woken += now;
        sched_yield();
    }
    for (size_t i = 0; i < COUNT(threads); i++)
        finish(threads[i]);
    assert(futex(&word, FUTEX_WAKE_PRIVATE, INT_MAX, NULL, 0) == 0);
}

static void bits(void)
{
    pthread_t one = start(wait_once, (void *)(uintptr_t)1);
    pthread_t two = start(wait_once, (void *)(uintptr_t)6);
    long woken = 0;
    while (woken < 1) {
        woken = futex(&word, FUTEX_WAKE_BITSET_PRIVATE, INT_MAX, NULL, 2);
        assert(woken == 0 || woken == 1); /* never the one that waits for bit 1 */
        sched_yield();
    }
    finish(two);
    while (futex(&word, FUTEX_WAKE_BITSET_PRIVATE, INT_MAX, NULL, 9) == 0)
        sched_yield();
    finish(one);
    /* A plain wake is a wake of any bit. */
    one = start(wait_once, (void *)(uintptr_t)0x80);
    while (futex(&word, FUTEX_WAKE_PRIVATE, 1, NULL, 0) == 0)
        sched_yield();
    finish(one);
}

int main(void)
{
    atomic_store(&word, 5);
    fails(futex(&word, FUTEX_WAIT, 4, NULL, 0), EAGAIN);
    fails(futex(&word, FUTEX_WAIT_PRIVATE, 4, NULL, 0), EAGAIN);
    fails(futex(&word, FUTEX_WAIT_BITSET_PRIVATE, 4, NULL, FUTEX_BITSET_MATCH_ANY), EAGAIN);
    fails(futex(&word, FUTEX_WAIT_BITSET_PRIVATE, 5, NULL, 0), EINVAL);
    fails(futex(&word, FUTEX_WAKE_BITSET_PRIVATE, 5, NULL, 0), EINVAL);
    fails(futex((atomic_int *)((char *)&word + 1), FUTEX_WAIT_PRIVATE, 5, NULL, 0), EINVAL);
    fails(futex(&word, 0x7f, 5, NULL, 0), ENOSYS);
    assert(futex(&word, FUTEX_WAKE, 1, NULL, 0) == 0);

    struct timespec soon = {0, 1000000};
    fails(futex(&word, FUTEX_WAIT_PRIVATE, 5, &soon, 0), ETIMEDOUT); /* relative */
    fails(futex(&word, FUTEX_WAIT_PRIVATE, 4, &soon, 0), EAGAIN);
    struct timespec late = in_ms(CLOCK_MONOTONIC, -1);
    fails(futex(&word, FUTEX_WAIT_BITSET_PRIVATE, 5, &late, 1), ETIMEDOUT); /* absolute */
    late = in_ms(CLOCK_REALTIME, -1);
    fails(futex(&word, FUTEX_WAIT_BITSET_PRIVATE | FUTEX_CLOCK_REALTIME, 5, &late, 1), ETIMEDOUT);
    soon.tv_nsec = 1000000000;
    fails(futex(&word, FUTEX_WAIT_PRIVATE, 5, &soon, 0), EINVAL);

    handshake(0);
    handshake(FUTEX_PRIVATE_FLAG);
    counted();
    bits();
    return 0;
}
