/* What the programs of this directory share: N threads that know their number. */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

static pthread_t threads[32];

static inline int number_of(const void *argument)
{
    return (int)(intptr_t)argument;
}

static inline void start(int i, void *(*body)(void *))
{
    pthread_create(&threads[i], NULL, body, (void *)(intptr_t)i);
}

static inline void start_all(int n, void *(*body)(void *))
{
    for (int i = 0; i < n; i++)
        start(i, body);
}

static inline void join_all(int n)
{
    for (int i = 0; i < n; i++)
        pthread_join(threads[i], NULL);
}
