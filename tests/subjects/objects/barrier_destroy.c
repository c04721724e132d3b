/* The serial thread may destroy and free the barrier at once, before the others have returned. */
#include "../help.h"
#include <stdlib.h>

static void *work(void *barrier)
{
    if (pthread_barrier_wait(barrier) == PTHREAD_BARRIER_SERIAL_THREAD) {
        assert(pthread_barrier_destroy(barrier) == 0);
        free(barrier);
    }
    return NULL;
}

int main(void)
{
    pthread_barrier_t *barrier = malloc(sizeof *barrier);
    assert(barrier && pthread_barrier_init(barrier, NULL, 3) == 0);
    pthread_t a = start(work, barrier);
    pthread_t b = start(work, barrier);
    work(barrier);
    finish(a);
    finish(b);
    return 0;
}
