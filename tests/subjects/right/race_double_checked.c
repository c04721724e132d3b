// expect: pass
/* Double-checked locking with an atomic pointer, released and acquired. */
#define _GNU_SOURCE
#include "../help.h"
#include <stdlib.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
int *instance;

static int *load(void)
{
    return __atomic_load_n(&instance, __ATOMIC_ACQUIRE);
}

static void publish(int *made)
{
    __atomic_store_n(&instance, made, __ATOMIC_RELEASE);
}

static int *get(void)
{
    int *seen = load();
    if (!seen) {
        pthread_mutex_lock(&mutex);
        seen = instance;
        if (!seen) {
            seen = malloc(sizeof *seen);
            *seen = 42;
            publish(seen);
        }
        pthread_mutex_unlock(&mutex);
    }
    return seen;
}

static void *use(void *unused)
{
    assert(get() != NULL);
    return unused;
}

int main(void)
{
    pthread_t a = start(use, NULL), b = start(use, NULL);
    finish(a);
    finish(b);
    return 0;
}
