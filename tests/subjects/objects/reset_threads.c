// executions: 2000
/* Threads never joined, still blocked or still at work when main returns: gone with the
 * execution. */
#include "../help.h"
#include <semaphore.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

static sem_t never;
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t condition = PTHREAD_COND_INITIALIZER;
static atomic_int spins;
static _Thread_local int mine = 3;

static void *blocked(void *unused)
{
    assert(mine == 3);
    mine = 4;
    sem_wait(&never);
    return unused;
}

static void *waiting(void *unused)
{
    assert(mine++ == 3);
    assert(pthread_mutex_lock(&mutex) == 0);
    for (;;)
        assert(pthread_cond_wait(&condition, &mutex) == 0);
    return unused;
}

static void *working(void *unused)
{
    assert(mine++ == 3);
    char *block = malloc(100);
    memset(block, 1, 100);
    for (;;)
        atomic_fetch_add(&spins, block[3]);
    return unused;
}

static void *ended(void *unused)
{
    assert(mine++ == 3);
    return unused;
}

int main(void)
{
    assert(mine == 3 && sem_init(&never, 0, 0) == 0);
    start(blocked, NULL);
    start(waiting, NULL);
    start(working, NULL);
    start(ended, NULL); /* may have ended; nobody joins it */
    assert(pthread_detach(start(blocked, NULL)) == 0);
    return 0;
}
