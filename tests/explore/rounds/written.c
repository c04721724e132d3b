/* What the runtime writes for a function that it models is a write of the round as well. */
// outcomes: -DERRNO sc=0,1 tso=0,1 rc11=0,1
// outcomes: -DGETVALUE sc=0,1 tso=0,1 rc11=0,1
// outcomes: -DSTRCAT sc=0,1 tso=0,1 rc11=0,1
// outcomes: -DCALLED_MEMCPY sc=0,1 tso=0,1 rc11=0,1
// outcomes: -DSYSCALL run=some sc=0,1 tso=0,1 rc11=0,1
// outcomes: -DBIG sc=0,1 tso=0,1 rc11=0,1
// outcomes: -DEXPECTED sc=0,1 tso=0,1 rc11=0,1
// outcomes: -DMAPPED sc=0,1 tso=0,1 rc11=0,1
// outcomes: -DREMAINDER run=some sc=0,1 tso=0,1 rc11=0,1
#define _GNU_SOURCE
#include <errno.h>
#include <semaphore.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#include "rounds.h"

static atomic_int flag, word = 3;
static sem_t semaphore;

static void *set(void *unused)
{
    atomic_store(&flag, 1);
    return unused;
}

int main(void)
{
    pthread_t a = start(set, 0);
    int late = 0;
#if defined ERRNO
    errno = 0;
    while (!atomic_load(&flag) && !(late = errno == EAGAIN))
        (void)sem_trywait(&semaphore);
#elif defined GETVALUE
    static int value = 5;
    while (!atomic_load(&flag) && !(late = value == 0))
        (void)sem_getvalue(&semaphore, &value);
#elif defined STRCAT
    static char text[64];
    while (!atomic_load(&flag) && !(late = strlen(text) >= 2))
        strcat(text, "a");
#elif defined CALLED_MEMCPY
    static void *(*_Atomic copy)(void *, const void *, size_t) = memcpy;
    static char text[8], from[8] = "abc";
    void *(*chosen)(void *, const void *, size_t) = atomic_load(&copy);
    while (!atomic_load(&flag) && !(late = text[2] == 'c'))
        chosen(text, from, sizeof text);
#elif defined SYSCALL
    struct timespec now = {0, 0}, first = {0, 0};
    syscall(SYS_clock_gettime, CLOCK_MONOTONIC, &first);
    now = first;
    while (!atomic_load(&flag) && !(late = now.tv_nsec > first.tv_nsec + 3000000))
        syscall(SYS_clock_gettime, CLOCK_MONOTONIC, &now);
#elif defined BIG
    static char room[100000];
    while (!atomic_load(&flag) && !(late = room[99999] == 2))
        memset(room, room[99999] + 1, sizeof room);
#elif defined EXPECTED
    static int expected = 5;
    while (!atomic_load(&flag) && !(late = expected == 3))
        (void)atomic_compare_exchange_strong(&word, &expected, 7);
#elif defined MAPPED
    int *map = mmap(NULL, 4096, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    while (!atomic_load(&flag) && !(late = *map == 2))
        ++*map;
#else
    struct timespec rest = {7, 7}, request = {0, 1000};
    while (!atomic_load(&flag) && !(late = rest.tv_sec == 0))
        if (nanosleep(&request, &rest) == 0)
            rest.tv_sec = 0;
#endif
    finish(a);
    (void)word;
    outcome(late);
    return 0;
}
