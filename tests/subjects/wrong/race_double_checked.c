// expect: data-race
/* Double-checked locking with a plain pointer: the check outside the lock is a race. */
#define _GNU_SOURCE
#include "../help.h"
#include <stdlib.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
int *instance;

static int *load(void)
{
    return instance; // HERE
}

static void publish(int *made)
{
    instance = made; // HERE
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
