// expect: pass
/* The wait compares the word that changes. */
#define _GNU_SOURCE
#include "../help.h"
#include <linux/futex.h>
#include <stdatomic.h>
#include <sys/syscall.h>
#include <unistd.h>

static atomic_int ready;

static void *wait_ready(void *unused)
{
    atomic_int *word = &ready;
    while (!atomic_load(&ready))
        syscall(SYS_futex, word, FUTEX_WAIT_PRIVATE, 0, NULL, NULL, 0);
    return unused;
}

int main(void)
{
    pthread_t thread = start(wait_ready, NULL);
    atomic_store(&ready, 1);
    syscall(SYS_futex, &ready, FUTEX_WAKE_PRIVATE, 1, NULL, NULL, 0);
    finish(thread);
    return 0;
}
