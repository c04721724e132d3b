/* Which thread is told that it was the last, in two rounds. */
#include "outcome.h"

static pthread_barrier_t barrier;
static int round_of[2];
static atomic_int late;

static void *passer(void *me)
{
    for (int i = 0; i < 2; i++) {
        atomic_fetch_add(&late, 1);
        if (pthread_barrier_wait(&barrier) == PTHREAD_BARRIER_SERIAL_THREAD)
            round_of[i] = (int)(long)me;
        assert(atomic_load(&late) >= 3 * (i + 1));
    }
    return NULL;
}

int main(void)
{
    pthread_barrier_init(&barrier, NULL, 3);
    pthread_t a = start(passer, 1), b = start(passer, 2);
    passer(0);
    finish(a);
    finish(b);
    outcome(round_of[0] + 4 * round_of[1]);
    return 0;
}
