/* Somebody unlocks a mutex that is not his: a normal one is free then, whoever held it, so two may
 * count at once; one that checks says no. */
#define _GNU_SOURCE
#include "outcome.h"

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_mutex_t checked = PTHREAD_ERRORCHECK_MUTEX_INITIALIZER_NP;
static atomic_int count, refused;

static void *counter(void *unused)
{
    pthread_mutex_lock(&mutex);
    int before = atomic_load(&count);
    atomic_store(&count, before + 1);
    pthread_mutex_unlock(&mutex);
    return unused;
}

static void *wrong(void *unused)
{
    pthread_mutex_unlock(&mutex);
    atomic_store(&refused, pthread_mutex_unlock(&checked) == EPERM);
    return unused;
}

int main(void)
{
    pthread_mutex_lock(&checked);
    pthread_t a = start(counter, 0), b = start(counter, 0), c = start(wrong, 0);
    finish(a);
    finish(b);
    finish(c);
    outcome(atomic_load(&count) + 4 * atomic_load(&refused));
    return 0;
}
