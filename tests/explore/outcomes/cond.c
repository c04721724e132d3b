/* Two wait for a token each; one signal each: who is served first? */
#include "outcome.h"

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t cond = PTHREAD_COND_INITIALIZER;
static int tokens, served, first, waits;

static void *waiter(void *me)
{
    pthread_mutex_lock(&mutex);
    while (tokens == 0) {
        waits++;
        pthread_cond_wait(&cond, &mutex);
    }
    tokens--;
    if (!served++)
        first = (int)(long)me;
    pthread_mutex_unlock(&mutex);
    return NULL;
}

int main(void)
{
    pthread_t a = start(waiter, 1), b = start(waiter, 2);
    for (int i = 0; i < 2; i++) {
        pthread_mutex_lock(&mutex);
        tokens++;
        pthread_cond_signal(&cond);
        pthread_mutex_unlock(&mutex);
    }
    finish(a);
    finish(b);
    outcome(first - 1 + 2 * waits);
    return 0;
}
