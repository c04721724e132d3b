/* Detached threads, made so in three ways; main may end before them, and that is a normal end. */
#include "../help.h"
#include <semaphore.h>
#include <stdatomic.h>

static sem_t done;
static atomic_int late;

static void *says_done(void *unused)
{
    assert(sem_post(&done) == 0);
    return unused;
}

static void *detaches_itself(void *unused)
{
    assert(pthread_detach(pthread_self()) == 0);
    assert(sem_post(&done) == 0);
    return unused;
}

static void *late_one(void *unused)
{
    for (int i = 0; i < 5; i++)
        atomic_fetch_add(&late, 1);
    return unused;
}

int main(void)
{
    pthread_attr_t attr;
    int state = -1;
    assert(sem_init(&done, 0, 0) == 0);
    assert(pthread_attr_init(&attr) == 0);
    assert(pthread_attr_getdetachstate(&attr, &state) == 0 && state == PTHREAD_CREATE_JOINABLE);
    assert(pthread_attr_setdetachstate(&attr, 77) == EINVAL);
    assert(pthread_attr_setdetachstate(&attr, PTHREAD_CREATE_DETACHED) == 0);
    assert(pthread_attr_getdetachstate(&attr, &state) == 0 && state == PTHREAD_CREATE_DETACHED);
    pthread_t thread;
    assert(pthread_create(&thread, &attr, says_done, NULL) == 0);
    assert(pthread_attr_destroy(&attr) == 0);
    assert(pthread_detach(start(says_done, NULL)) == 0);
    start(detaches_itself, NULL);
    for (int i = 0; i < 3; i++)
        assert(sem_wait(&done) == 0);
    assert(pthread_detach(start(late_one, NULL)) == 0);
    return 0;
}
