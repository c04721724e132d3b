/* A broadcast wakes every waiter, also when it comes after the mutex was let go; afterwards the
 * last one out may destroy the condition variable. */
#include "../help.h"

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t opened = PTHREAD_COND_INITIALIZER;
static pthread_cond_t arrived = PTHREAD_COND_INITIALIZER;
static int waiting, open, through; /* under mutex */

static void *wait_open(void *unused)
{
    assert(pthread_mutex_lock(&mutex) == 0);
    waiting++;
    assert(pthread_cond_signal(&arrived) == 0);
    while (!open)
        assert(pthread_cond_wait(&opened, &mutex) == 0);
    through++;
    assert(pthread_mutex_unlock(&mutex) == 0);
    return unused;
}

int main(void)
{
    pthread_t threads[3];
    for (size_t i = 0; i < COUNT(threads); i++)
        threads[i] = start(wait_open, NULL);
    assert(pthread_mutex_lock(&mutex) == 0);
    while (waiting < 3)
        assert(pthread_cond_wait(&arrived, &mutex) == 0);
    assert(through == 0); /* all three are inside pthread_cond_wait */
    open = 1;
    assert(pthread_mutex_unlock(&mutex) == 0);
    assert(pthread_cond_broadcast(&opened) == 0);
    assert(pthread_cond_destroy(&opened) == 0); /* may block until they have left it */
    for (size_t i = 0; i < COUNT(threads); i++)
        finish(threads[i]);
    assert(through == 3);
    return 0;
}
