/* Readers share, writers exclude; the try forms say EBUSY; the writer who asks again is told
 * EDEADLK. */
#define _GNU_SOURCE
#include "../help.h"
#include <stdatomic.h>

static pthread_rwlock_t fixed = PTHREAD_RWLOCK_INITIALIZER;
static pthread_rwlock_t lock;
static pthread_barrier_t both_inside;
static int first, second; /* written together under fixed */
static atomic_int released;

static void *reader_inside(void *unused)
{
    assert(pthread_rwlock_rdlock(&lock) == 0);
    pthread_barrier_wait(&both_inside); /* passes only if both readers hold it at once */
    assert(pthread_rwlock_unlock(&lock) == 0);
    return unused;
}

static void *sees_reader(void *unused)
{
    assert(pthread_rwlock_trywrlock(&lock) == EBUSY);
    assert(pthread_rwlock_tryrdlock(&lock) == 0);
    assert(pthread_rwlock_unlock(&lock) == 0);
    return unused;
}

static void *sees_writer(void *unused)
{
    assert(pthread_rwlock_trywrlock(&lock) == EBUSY);
    assert(pthread_rwlock_tryrdlock(&lock) == EBUSY);
    return unused;
}

static void *write_waits(void *unused)
{
    assert(pthread_rwlock_wrlock(&lock) == 0);
    assert(atomic_load(&released) == 1);
    assert(pthread_rwlock_unlock(&lock) == 0);
    return unused;
}

static void *read_waits(void *unused)
{
    assert(pthread_rwlock_rdlock(&lock) == 0);
    assert(atomic_load(&released) == 1);
    assert(pthread_rwlock_unlock(&lock) == 0);
    return unused;
}

static void *writer(void *unused)
{
    for (int i = 0; i < 2; i++) {
        assert(pthread_rwlock_wrlock(&fixed) == 0);
        first++;
        second++;
        assert(pthread_rwlock_unlock(&fixed) == 0);
    }
    return unused;
}

static void *reader(void *unused)
{
    for (int i = 0; i < 2; i++) {
        assert(pthread_rwlock_rdlock(&fixed) == 0);
        assert(first == second && first <= 4);
        assert(pthread_rwlock_unlock(&fixed) == 0);
    }
    return unused;
}

int main(void)
{
    assert(pthread_rwlock_init(&lock, NULL) == 0);
    assert(pthread_barrier_init(&both_inside, NULL, 2) == 0);
    pthread_t a = start(reader_inside, NULL);
    reader_inside(NULL);
    finish(a);

    assert(pthread_rwlock_rdlock(&lock) == 0);
    assert(pthread_rwlock_rdlock(&lock) == 0); /* twice by one thread */
    assert(pthread_rwlock_trywrlock(&lock) == EBUSY);
    elsewhere(sees_reader, NULL);
    assert(pthread_rwlock_unlock(&lock) == 0);
    elsewhere(sees_reader, NULL); /* one read lock is left */
    assert(pthread_rwlock_unlock(&lock) == 0);

    assert(pthread_rwlock_wrlock(&lock) == 0);
    assert(pthread_rwlock_wrlock(&lock) == EDEADLK);
    assert(pthread_rwlock_rdlock(&lock) == EDEADLK);
    assert(pthread_rwlock_tryrdlock(&lock) == EBUSY);
    assert(pthread_rwlock_trywrlock(&lock) == EBUSY);
    elsewhere(sees_writer, NULL);
    a = start(write_waits, NULL);
    pthread_t b = start(read_waits, NULL);
    atomic_store(&released, 1);
    assert(pthread_rwlock_unlock(&lock) == 0);
    finish(a);
    finish(b);

    atomic_store(&released, 0);
    assert(pthread_rwlock_tryrdlock(&lock) == 0);
    a = start(write_waits, NULL);
    atomic_store(&released, 1);
    assert(pthread_rwlock_unlock(&lock) == 0);
    finish(a);
    assert(pthread_rwlock_trywrlock(&lock) == 0);
    assert(pthread_rwlock_unlock(&lock) == 0);
    assert(pthread_rwlock_destroy(&lock) == 0);
    assert(pthread_barrier_destroy(&both_inside) == 0);

    pthread_t threads[4] = {start(writer, NULL), start(reader, NULL), start(writer, NULL),
                            start(reader, NULL)};
    for (size_t i = 0; i < COUNT(threads); i++)
        finish(threads[i]);
    assert(first == 4 && second == 4);
    return 0;
}
