// A thread locks a mutex again that it holds, and stands there for good. The other one may ask for
// it in between, so that the first waits behind one that waits for itself; with SIGNALLED it waits
// for a condition before that, and what it was told comes while the mutex is held. finding:
// sc=deadlock tso=deadlock rc11=deadlock finding: -DSIGNALLED sc=deadlock tso=deadlock
// rc11=deadlock
#include "threads.h"

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t condition = PTHREAD_COND_INITIALIZER;
static int told;

static void *other(void *unused)
{
    pthread_mutex_lock(&mutex);
#ifdef SIGNALLED
    while (!told)
        pthread_cond_wait(&condition, &mutex);
#else
    told = 1;
#endif
    pthread_mutex_unlock(&mutex);
    return unused;
}

static void *twice(void *unused)
{
    pthread_mutex_lock(&mutex);
#ifdef SIGNALLED
    pthread_cond_signal(&condition);
#endif
    pthread_mutex_lock(&mutex);
#ifndef KEPT
    pthread_mutex_unlock(&mutex);
    pthread_mutex_unlock(&mutex);
#endif
    return unused;
}

int main(void)
{
#ifdef SIGNALLED
    start(0, other);
    start(1, twice);
#else
    start(0, twice);
    start(1, other);
#endif
    join_all(2);
    (void)condition;
    return told;
}
