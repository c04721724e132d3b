// expect: deadlock
/*
 * The wake comes between the look at the word and the wait, and the word the wait compares is
 * not the one that changed.
 */
#define _GNU_SOURCE
#include "../help.h"
#include <linux/futex.h>
#include <stdatomic.h>
#include <sys/syscall.h>
#include <unistd.h>

static atomic_int ready, sleepers;

static void *wait_ready(void *unused)
{
    atomic_int *word = &sleepers;
    while (!atomic_load(&ready))
        syscall(SYS_futex, word, FUTEX_WAIT_PRIVATE, 0, NULL, NULL, 0); // HERE
    return unused;
}

int main(void)
{
    pthread_t thread = start(wait_ready, NULL);
    atomic_store(&ready, 1);
    syscall(SYS_futex, &sleepers, FUTEX_WAKE_PRIVATE, 1, NULL, NULL, 0);
    finish(thread);
    return 0;
}
