/* A signal wakes a thread that was waiting then, never one that comes to wait later: the waiter of
 * before always gets through. */
#include "../help.h"

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t condition = PTHREAD_COND_INITIALIZER;
static int first_waits, signalled, first_done, second_done; /* under mutex */

static void *first(void *unused)
{
    assert(pthread_mutex_lock(&mutex) == 0);
    first_waits = 1;
    while (!signalled)
        assert(pthread_cond_wait(&condition, &mutex) == 0);
    first_done = 1;
    assert(pthread_mutex_unlock(&mutex) == 0);
    return unused;
}

/* Signals once `first` waits, then waits itself for a second signal. */
static void *second(void *unused)
{
    for (int sent = 0; !sent;) {
        assert(pthread_mutex_lock(&mutex) == 0);
        if (first_waits) {
            signalled = 1;
            assert(pthread_cond_signal(&condition) == 0);
            sent = 1;
            while (signalled < 2)
                assert(pthread_cond_wait(&condition, &mutex) == 0);
            second_done = 1;
        }
        assert(pthread_mutex_unlock(&mutex) == 0);
    }
    return unused;
}

int main(void)
{
    pthread_t a = start(first, NULL);
    pthread_t b = start(second, NULL);
    finish(a); /* needs nothing but the one signal */
    assert(pthread_mutex_lock(&mutex) == 0);
    assert(first_done && !second_done);
    signalled = 2;
    assert(pthread_mutex_unlock(&mutex) == 0);
    assert(pthread_cond_signal(&condition) == 0);
    finish(b);
    assert(second_done);
    return 0;
}
