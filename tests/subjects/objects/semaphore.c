/* Unnamed semaphores: counting, blocking, and each error. */
#define _GNU_SOURCE
#include "../help.h"
#include <limits.h>
#include <semaphore.h>
#include <stdatomic.h>

static sem_t sem, items, room;
static atomic_int posted;
static int slot; /* handed over by items and room */

static void fails(int result, int error)
{
    assert(result == -1 && errno == error);
    errno = 0;
}

static int value(sem_t *s)
{
    int v = -1;
    assert(sem_getvalue(s, &v) == 0);
    return v;
}

static void *waits(void *unused)
{
    assert(sem_wait(&sem) == 0);
    assert(atomic_load(&posted) >= 1);
    return unused;
}

static void *consumes(void *unused)
{
    for (int i = 0; i < 4; i++) {
        assert(sem_wait(&items) == 0);
        assert(slot == i);
        assert(sem_post(&room) == 0);
    }
    return unused;
}

static void *timed(void *unused)
{
    struct timespec later = in_ms(CLOCK_REALTIME, 20000);
    int result = sem_timedwait(&sem, &later);
    assert(result == 0 || errno == ETIMEDOUT);
    return result == 0 ? &sem : unused;
}

int main(void)
{
    fails(sem_init(&sem, 0, (unsigned)SEM_VALUE_MAX + 1), EINVAL);
    assert(sem_init(&sem, 0, SEM_VALUE_MAX) == 0);
    fails(sem_post(&sem), EOVERFLOW);
    assert(value(&sem) == SEM_VALUE_MAX);
    assert(sem_destroy(&sem) == 0);

    assert(sem_init(&sem, 0, 2) == 0 && value(&sem) == 2);
    assert(sem_wait(&sem) == 0 && value(&sem) == 1);
    assert(sem_trywait(&sem) == 0 && value(&sem) == 0);
    fails(sem_trywait(&sem), EAGAIN);
    struct timespec late = in_ms(CLOCK_REALTIME, -1000), soon = in_ms(CLOCK_REALTIME, 2);
    fails(sem_timedwait(&sem, &late), ETIMEDOUT);
    fails(sem_timedwait(&sem, &soon), ETIMEDOUT);
    soon = in_ms(CLOCK_MONOTONIC, 2);
    fails(sem_clockwait(&sem, CLOCK_MONOTONIC, &soon), ETIMEDOUT);
    fails(sem_clockwait(&sem, CLOCK_PROCESS_CPUTIME_ID, &soon), EINVAL);
    soon.tv_nsec = 1000000000;
    fails(sem_timedwait(&sem, &soon), EINVAL);
    soon.tv_nsec = -1;
    fails(sem_timedwait(&sem, &soon), EINVAL);
    assert(sem_post(&sem) == 0 && value(&sem) == 1);
    assert(sem_timedwait(&sem, &late) == 0); /* there is one: the deadline does not matter */
    assert(value(&sem) == 0);

    pthread_t a = start(waits, NULL);
    pthread_t b = start(waits, NULL);
    atomic_store(&posted, 1);
    assert(sem_post(&sem) == 0);
    assert(sem_post(&sem) == 0);
    finish(a);
    finish(b);
    assert(value(&sem) == 0);

    a = start(timed, NULL);
    assert(sem_post(&sem) == 0);
    int taken = finish(a) == &sem;
    assert(value(&sem) == !taken);
    assert(sem_destroy(&sem) == 0);

    assert(sem_init(&items, 0, 0) == 0 && sem_init(&room, 0, 1) == 0);
    a = start(consumes, NULL);
    for (int i = 0; i < 4; i++) {
        assert(sem_wait(&room) == 0);
        slot = i;
        assert(sem_post(&items) == 0);
    }
    finish(a);
    assert(value(&items) == 0 && value(&room) == 1);
    assert(sem_destroy(&items) == 0 && sem_destroy(&room) == 0);
    return 0;
}
