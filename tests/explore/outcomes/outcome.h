/* A program computes one number below OUTCOMES and fails if it is the one it is told: so the
 * set of numbers that can come out is known by asking for each. */
#include <assert.h>
#include <errno.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>
#include <stdlib.h>
#include <time.h>

static inline pthread_t start(void *(*function)(void *), long argument)
{
    pthread_t thread;
    int status = pthread_create(&thread, NULL, function, (void *)argument);
    if (status)
        abort();
    return thread;
}

static inline void finish(pthread_t thread)
{
    (void)pthread_join(thread, NULL);
}

static inline void outcome_is_not(int outcome, char **argv)
{
    int forbidden = atoi(argv[1]);
    assert(outcome != forbidden);
}
