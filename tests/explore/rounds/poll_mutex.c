/* A flag that is looked at again and again, under a mutex. Two threads hold the same lock, so
 * the one that looks first sees nothing; it must not be called stuck: it would lock again. */
// outcomes: sc=1,2 tso=1,2 rc11=1,2
#include "rounds.h"

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static int ready;

static void *set(void *unused)
{
    for (int i = 1; i <= 2; i++) {
        pthread_mutex_lock(&mutex);
        ready = i;
        pthread_mutex_unlock(&mutex);
    }
    return unused;
}

int main(void)
{
    pthread_t setter = start(set, 0);
    int seen;
    do {
        pthread_mutex_lock(&mutex);
        seen = ready;
        pthread_mutex_unlock(&mutex);
    } while (!seen);
    finish(setter);
    outcome(seen);
    return 0;
}
