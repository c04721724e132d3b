/* Fails in every execution, after a different interleaving each time: what determinism is seen by.
 * Three threads use a mutex, atomics, the heap, a time-out and thread-locals. */
#define _GNU_SOURCE
#include "../help.h"
#include <stdatomic.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static char order[32]; /* under mutex */
static atomic_uint mixed;
static _Thread_local unsigned mine = 1;

static void *work(void *argument)
{
    char letter = (char)(intptr_t)argument;
    for (int i = 0; i < 4; i++) {
        char *block = malloc(16);
        block[0] = letter;
        pthread_mutex_lock(&mutex);
        strncat(order, block, 1);
        pthread_mutex_unlock(&mutex);
        mine = mine * 31 + (unsigned)letter;
        unsigned old = atomic_load(&mixed);
        atomic_store(&mixed, old * 7 + mine);
        struct timespec soon = in_ms(CLOCK_REALTIME, 10);
        if (pthread_mutex_timedlock(&mutex, &soon) == 0)
            pthread_mutex_unlock(&mutex);
        else
            atomic_fetch_add(&mixed, (unsigned)(uintptr_t)block);
        free(block);
    }
    return NULL;
}

int main(void)
{
    pthread_t a = start(work, (void *)'a'), b = start(work, (void *)'b'),
              c = start(work, (void *)'c');
    finish(a);
    finish(b);
    finish(c);
    printf("%s %u %d\n", order, atomic_load(&mixed), rand());
    assert(order[0] == 'x');
    return 0;
}
