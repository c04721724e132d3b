/* Create and join: the result comes over, plain data too, identities are distinct, and misuse is
 * named. */
#define _GNU_SOURCE
#include "../help.h"
#include <semaphore.h>
#include <stdint.h>
#include <sys/syscall.h>
#include <unistd.h>

static sem_t go;
static pthread_t main_thread;
static int result;

static void *answer(void *argument)
{
    result = 42;
    return (char *)argument + 1;
}

static void *identity(void *out)
{
    assert(!pthread_equal(pthread_self(), main_thread));
    *(pthread_t *)out = pthread_self();
    return NULL;
}

static void *tids(void *out)
{
    pid_t *tid = out;
    *tid = gettid();
    assert(*tid == gettid() && *tid == (pid_t)syscall(SYS_gettid));
    assert(sem_wait(&go) == 0); /* alive together */
    return NULL;
}

static void *wait_go(void *argument)
{
    assert(sem_wait(&go) == 0);
    return argument;
}

static void *join_self(void *unused)
{
    assert(pthread_join(pthread_self(), NULL) == EDEADLK);
    return unused;
}

static void *grandchild(void *argument)
{
    pthread_t inner = start(answer, argument);
    return finish(inner);
}

int main(void)
{
    char base[4];
    main_thread = pthread_self();
    assert(pthread_equal(main_thread, pthread_self()));
    assert(sem_init(&go, 0, 0) == 0);

    assert(finish(start(answer, base)) == base + 1 && result == 42);
    assert(finish(start(grandchild, base)) == base + 1);
    pthread_t thread, seen;
    assert(pthread_create(&thread, NULL, identity, &seen) == 0);
    assert(pthread_join(thread, NULL) == 0); /* the result may be ignored */
    assert(pthread_equal(thread, seen));

    pid_t a_tid, b_tid;
    pthread_t a = start(tids, &a_tid), b = start(tids, &b_tid);
    assert(!pthread_equal(a, b) && !pthread_equal(a, main_thread));
    assert(sem_post(&go) == 0 && sem_post(&go) == 0);
    finish(a);
    finish(b);
    assert(a_tid != b_tid && a_tid != gettid() && b_tid != gettid());

    assert(pthread_join(pthread_self(), NULL) == EDEADLK);
    elsewhere(join_self, NULL);

    void *value = NULL;
    a = start(wait_go, base);
    assert(pthread_tryjoin_np(a, &value) == EBUSY);
    struct timespec soon = in_ms(CLOCK_REALTIME, 2), late = in_ms(CLOCK_REALTIME, -1);
    assert(pthread_timedjoin_np(a, &value, &soon) == ETIMEDOUT);
    assert(pthread_timedjoin_np(a, &value, &late) == ETIMEDOUT);
    soon = in_ms(CLOCK_MONOTONIC, 2);
    assert(pthread_clockjoin_np(a, &value, CLOCK_MONOTONIC, &soon) == ETIMEDOUT);
    assert(sem_post(&go) == 0);
    soon = in_ms(CLOCK_REALTIME, 20000);
    int error = pthread_timedjoin_np(a, &value, &soon);
    assert(error == 0 || error == ETIMEDOUT);
    if (error != 0)
        value = finish(a);
    assert(value == base);

    a = start(answer, base);
    while ((error = pthread_tryjoin_np(a, &value)) == EBUSY)
        sched_yield();
    assert(error == 0 && value == base + 1);

    /* A detached thread that still runs can neither be joined nor detached again. */
    a = start(wait_go, NULL);
    assert(pthread_detach(a) == 0);
    assert(pthread_detach(a) == EINVAL);
    assert(pthread_join(a, NULL) == EINVAL);
    assert(sem_post(&go) == 0);
    return 0;
}
