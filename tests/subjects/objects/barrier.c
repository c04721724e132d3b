/* A barrier lets nobody pass before all have come, names one serial thread a round, can be used
 * again, and orders what was written before it before what is read after it. */
#include "../help.h"
#include <limits.h>
#include <stdint.h>

enum { THREADS = 3, ROUNDS = 4 };
static pthread_barrier_t barrier;
static int written[ROUNDS][THREADS]; /* plain: only the barrier orders them */
static int serials[ROUNDS][THREADS];

static void *work(void *argument)
{
    intptr_t me = (intptr_t)argument;
    for (int round = 0; round < ROUNDS; round++) {
        written[round][me] = 1;
        int result = pthread_barrier_wait(&barrier);
        assert(result == 0 || result == PTHREAD_BARRIER_SERIAL_THREAD);
        serials[round][me] = result != 0;
        for (int i = 0; i < THREADS; i++)
            assert(written[round][i] == 1);
    }
    return NULL;
}

int main(void)
{
    assert(pthread_barrier_init(&barrier, NULL, 0) == EINVAL);
    pthread_barrierattr_t attr;
    int shared = -1;
    assert(pthread_barrierattr_init(&attr) == 0);
    assert(pthread_barrierattr_getpshared(&attr, &shared) == 0 &&
           shared == PTHREAD_PROCESS_PRIVATE);
    assert(pthread_barrierattr_setpshared(&attr, 77) == EINVAL);
    assert(pthread_barrier_init(&barrier, &attr, 1) == 0);
    assert(pthread_barrierattr_destroy(&attr) == 0);
    for (int i = 0; i < 3; i++) /* alone one is always the serial thread */
        assert(pthread_barrier_wait(&barrier) == PTHREAD_BARRIER_SERIAL_THREAD);
    assert(pthread_barrier_destroy(&barrier) == 0);

    assert(pthread_barrier_init(&barrier, NULL, THREADS) == 0);
    pthread_t threads[THREADS];
    for (intptr_t i = 0; i < THREADS; i++)
        threads[i] = start(work, (void *)i);
    for (int i = 0; i < THREADS; i++)
        finish(threads[i]);
    for (int round = 0; round < ROUNDS; round++) {
        int sum = 0;
        for (int i = 0; i < THREADS; i++)
            sum += serials[round][i];
        assert(sum == 1);
    }
    assert(pthread_barrier_destroy(&barrier) == 0);
    return 0;
}
