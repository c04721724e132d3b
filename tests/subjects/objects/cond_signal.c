/* One signal per permit: each wakes at least one waiter, so all three get through. Signals are
 * given with the mutex held and without. */
#include "../help.h"
#include <stdlib.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t more;
static int permits, served; /* under mutex */

static void *take(void *unused)
{
    assert(pthread_mutex_lock(&mutex) == 0);
    while (permits == 0)
        assert(pthread_cond_wait(&more, &mutex) == 0);
    permits--;
    served++;
    assert(pthread_mutex_unlock(&mutex) == 0);
    return unused;
}

static void give(int signal_inside)
{
    assert(pthread_mutex_lock(&mutex) == 0);
    permits++;
    if (signal_inside)
        assert(pthread_cond_signal(&more) == 0);
    assert(pthread_mutex_unlock(&mutex) == 0);
    if (!signal_inside)
        assert(pthread_cond_signal(&more) == 0);
}

int main(void)
{
    assert(pthread_cond_init(&more, NULL) == 0);
    assert(pthread_cond_signal(&more) == 0); /* nobody waits: nothing happens */
    pthread_t threads[3];
    for (size_t i = 0; i < COUNT(threads); i++)
        threads[i] = start(take, NULL);
    give(1);
    give(0);
    give(1);
    for (size_t i = 0; i < COUNT(threads); i++)
        finish(threads[i]);
    assert(served == 3 && permits == 0);
    assert(pthread_cond_destroy(&more) == 0);
    return 0;
}
