/* A normal mutex: excludes, blocks, trylock says EBUSY also to the owner, a held one is not
 * destroyed. */
#define _GNU_SOURCE
#include "../help.h"
#include <stdatomic.h>

static pthread_mutex_t fixed = PTHREAD_MUTEX_INITIALIZER;
static pthread_mutex_t made;
static int counter; /* under fixed */
static atomic_int released;

static void *count(void *unused)
{
    for (int i = 0; i < 3; i++) {
        assert(pthread_mutex_lock(&fixed) == 0);
        counter++;
        assert(pthread_mutex_unlock(&fixed) == 0);
    }
    return unused;
}

static void *sees_busy(void *unused)
{
    assert(pthread_mutex_trylock(&made) == EBUSY);
    return unused;
}

static void *sees_free(void *unused)
{
    assert(pthread_mutex_trylock(&made) == 0);
    assert(pthread_mutex_unlock(&made) == 0);
    return unused;
}

static void *waits_for_it(void *unused)
{
    assert(pthread_mutex_lock(&made) == 0);
    assert(atomic_load(&released) == 1);
    assert(pthread_mutex_unlock(&made) == 0);
    return unused;
}

static void *tries_until_free(void *unused)
{
    int error = pthread_mutex_trylock(&made);
    assert(error == 0 || error == EBUSY);
    if (error == 0) {
        assert(atomic_load(&released) == 1);
        assert(pthread_mutex_unlock(&made) == 0);
    }
    return unused;
}

int main(void)
{
    pthread_t threads[3];
    for (size_t i = 0; i < COUNT(threads); i++)
        threads[i] = start(count, NULL);
    for (size_t i = 0; i < COUNT(threads); i++)
        finish(threads[i]);
    assert(counter == 9);

    assert(pthread_mutex_init(&made, NULL) == 0);
    elsewhere(sees_free, NULL);
    assert(pthread_mutex_lock(&made) == 0);
    assert(pthread_mutex_trylock(&made) == EBUSY);
    assert(pthread_mutex_destroy(&made) == EBUSY);
    elsewhere(sees_busy, NULL);
    threads[0] = start(waits_for_it, NULL);
    threads[1] = start(waits_for_it, NULL);
    threads[2] = start(tries_until_free, NULL);
    atomic_store(&released, 1);
    assert(pthread_mutex_unlock(&made) == 0);
    for (size_t i = 0; i < COUNT(threads); i++)
        finish(threads[i]);
    elsewhere(sees_free, NULL);
    assert(pthread_mutex_destroy(&made) == 0);
    /* Memory of a destroyed mutex may be initialised again. */
    assert(pthread_mutex_init(&made, NULL) == 0);
    elsewhere(sees_free, NULL);
    assert(pthread_mutex_destroy(&made) == 0);
    return 0;
}
