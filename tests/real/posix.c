/* Every modelled POSIX object in one program of three threads: threads, mutexes (normal,
 * recursive, error-checking, trylock, timedlock), condition variables, rwlock, spinlock, barrier,
 * semaphore, once, keys, futex.
 *
 * Switches: none. Races: none allowed: every plain word below is guarded by one of the objects.
 *
 * Asserted: what POSIX promises of each, in every schedule; the sections below say it.
 *
 * With -DMISUSE, what must be found: one thread is woken where all should be (deadlock).
 */
#define _GNU_SOURCE
#include <assert.h>
#include <errno.h>
#include <linux/futex.h>
#include <pthread.h>
#include <semaphore.h>
#include <stdatomic.h>
#include <stdint.h>
#include <stdlib.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

enum { THREADS = 3 };

/* ---- once and keys: one initialisation; each thread its own value, destroyed at its end ---- */

static pthread_once_t once = PTHREAD_ONCE_INIT;
static pthread_key_t key;
static int once_runs;
static atomic_int destroyed;

static void destroy_value(void *value)
{
    free(value);
    atomic_fetch_add(&destroyed, 1);
}

static void initialise(void)
{
    once_runs++;
    assert(pthread_key_create(&key, destroy_value) == 0);
}

static void use_once_and_key(int me)
{
    int *value = malloc(sizeof(*value));

    assert(pthread_once(&once, initialise) == 0);
    assert(once_runs == 1);
    assert(pthread_getspecific(key) == NULL);
    *value = me;
    assert(pthread_setspecific(key, value) == 0);
    assert(*(int *)pthread_getspecific(key) == me);
}

/* ---- barrier: nobody leaves before all arrived; one thread is told so ---- */

static pthread_barrier_t barrier;
static atomic_int arrived, serial;

static void use_barrier(void)
{
    int got;

    atomic_fetch_add(&arrived, 1);
    got = pthread_barrier_wait(&barrier);
    assert(got == 0 || got == PTHREAD_BARRIER_SERIAL_THREAD);
    assert(atomic_load(&arrived) == THREADS);
    if (got == PTHREAD_BARRIER_SERIAL_THREAD)
        atomic_fetch_add(&serial, 1);
}

/* ---- mutexes: mutual exclusion, and the error returns of each kind ---- */

static pthread_mutex_t normal = PTHREAD_MUTEX_INITIALIZER;
static pthread_mutex_t recursive, checking;
static int guarded, guarded_by_recursive;

static void use_mutexes(void)
{
    struct timespec deadline;
    int got;

    assert(pthread_mutex_lock(&normal) == 0);
    guarded++;
    assert(pthread_mutex_trylock(&normal) == EBUSY);
    assert(pthread_mutex_unlock(&normal) == 0);

    assert(pthread_mutex_lock(&recursive) == 0);
    assert(pthread_mutex_lock(&recursive) == 0);
    guarded_by_recursive++;
    assert(pthread_mutex_unlock(&recursive) == 0);
    guarded_by_recursive++;
    assert(pthread_mutex_unlock(&recursive) == 0);

    assert(pthread_mutex_unlock(&checking) == EPERM);
    clock_gettime(CLOCK_REALTIME, &deadline);
    deadline.tv_sec += 100;
    got = pthread_mutex_timedlock(&checking, &deadline);
    assert(got == 0 || got == ETIMEDOUT);
    if (got == 0) {
        assert(pthread_mutex_lock(&checking) == EDEADLK);
        assert(pthread_mutex_unlock(&checking) == 0);
    }
}

/* ---- condition variable: a turn passed round; a broadcast; a timed wait ---- */

static pthread_mutex_t turn_lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t turn_changed = PTHREAD_COND_INITIALIZER;
static pthread_cond_t never = PTHREAD_COND_INITIALIZER;
static int turn;

static void use_condition(int me)
{
    struct timespec deadline;

    pthread_mutex_lock(&turn_lock);
    while (turn != me)
        assert(pthread_cond_wait(&turn_changed, &turn_lock) == 0);
    turn++;
#ifdef MISUSE
    assert(pthread_cond_signal(&turn_changed) == 0);
#else
    assert(pthread_cond_broadcast(&turn_changed) == 0);
#endif
    assert(pthread_cond_signal(&never) == 0); /* nobody waits: lost */
    if (me == THREADS - 1) {
        clock_gettime(CLOCK_REALTIME, &deadline);
        while (pthread_cond_timedwait(&never, &turn_lock, &deadline) == 0)
            ; /* a wake-up nobody sent is allowed */
    }
    pthread_mutex_unlock(&turn_lock);
}

/* ---- rwlock: readers see both halves of a write; a writer is alone ---- */

static pthread_rwlock_t rwlock = PTHREAD_RWLOCK_INITIALIZER;
static int left_half, right_half;

static void use_rwlock(int me)
{
    int got;

    if (me == 0) {
        assert(pthread_rwlock_wrlock(&rwlock) == 0);
        assert(pthread_rwlock_tryrdlock(&rwlock) == EBUSY);
        left_half++;
        right_half++;
    } else {
        assert(pthread_rwlock_rdlock(&rwlock) == 0);
        assert(left_half == right_half);
        assert(pthread_rwlock_trywrlock(&rwlock) == EBUSY);
        got = pthread_rwlock_tryrdlock(&rwlock);
        assert(got == 0 || got == EBUSY); /* a waiting writer may come first */
        if (got == 0)
            assert(pthread_rwlock_unlock(&rwlock) == 0);
        assert(left_half == right_half);
    }
    assert(pthread_rwlock_unlock(&rwlock) == 0);
}

/* ---- spinlock ---- */

static pthread_spinlock_t spinlock;
static int guarded_by_spin;

static void use_spinlock(void)
{
    if (pthread_spin_trylock(&spinlock) != 0)
        assert(pthread_spin_lock(&spinlock) == 0);
    guarded_by_spin++;
    assert(pthread_spin_trylock(&spinlock) == EBUSY);
    assert(pthread_spin_unlock(&spinlock) == 0);
}

/* ---- semaphore: as many inside as it counts (two); posts are not lost ---- */

static sem_t two, done;
static atomic_int inside;

static void use_semaphore(void)
{
    int now, value = -1;

    assert(sem_wait(&two) == 0);
    now = atomic_fetch_add(&inside, 1);
    assert(now == 0 || now == 1);
    assert(sem_getvalue(&two, &value) == 0 && (value == 0 || value == 1));
    atomic_fetch_sub(&inside, 1);
    assert(sem_post(&two) == 0);
    assert(sem_post(&done) == 0);
}

/* ---- futex: the three-state lock of "Futexes are tricky" ---- */

static atomic_int futex_word; /* 0 free, 1 taken, 2 taken and somebody waits */
static int guarded_by_futex;

static long futex(int op, int value)
{
    return syscall(SYS_futex, &futex_word, op, value, NULL, NULL, 0);
}

static void use_futex(void)
{
    int seen = 0;

    if (!atomic_compare_exchange_strong(&futex_word, &seen, 1)) {
        if (seen != 2)
            seen = atomic_exchange(&futex_word, 2);
        while (seen != 0) {
            long got = futex(FUTEX_WAIT_PRIVATE, 2);

            assert(got == 0 || (got == -1 && (errno == EAGAIN || errno == EINTR)));
            seen = atomic_exchange(&futex_word, 2);
        }
    }
    guarded_by_futex++;
    if (atomic_exchange(&futex_word, 0) == 2)
        assert(futex(FUTEX_WAKE_PRIVATE, 1) >= 0);
}

/* ---- threads ---- */

static pthread_t threads[THREADS];
static sem_t detached_done;

static void *work(void *arg)
{
    int me = (int)(intptr_t)arg;

    use_once_and_key(me);
    use_barrier();
    use_mutexes();
    use_condition(me);
    use_rwlock(me);
    use_spinlock();
    use_semaphore();
    use_futex();
    if (me == 1)
        pthread_exit((void *)(intptr_t)(me + 10));
    return (void *)(intptr_t)(me + 10);
}

static void *detached(void *arg)
{
    assert(pthread_detach(pthread_self()) == 0);
    assert(sem_post(&detached_done) == 0);
    return arg;
}

static void initialise_objects(void)
{
    pthread_mutexattr_t kind;

    assert(pthread_mutexattr_init(&kind) == 0);
    assert(pthread_mutexattr_settype(&kind, PTHREAD_MUTEX_RECURSIVE) == 0);
    assert(pthread_mutex_init(&recursive, &kind) == 0);
    assert(pthread_mutexattr_settype(&kind, PTHREAD_MUTEX_ERRORCHECK) == 0);
    assert(pthread_mutex_init(&checking, &kind) == 0);
    assert(pthread_mutexattr_destroy(&kind) == 0);
    assert(pthread_barrier_init(&barrier, NULL, THREADS) == 0);
    assert(pthread_spin_init(&spinlock, PTHREAD_PROCESS_PRIVATE) == 0);
    assert(sem_init(&two, 0, 2) == 0);
    assert(sem_init(&done, 0, 0) == 0);
    assert(sem_init(&detached_done, 0, 0) == 0);
}

static void destroy_objects(void)
{
    assert(pthread_mutex_destroy(&normal) == 0);
    assert(pthread_mutex_destroy(&recursive) == 0);
    assert(pthread_mutex_destroy(&checking) == 0);
    assert(pthread_mutex_destroy(&turn_lock) == 0);
    assert(pthread_cond_destroy(&turn_changed) == 0);
    assert(pthread_cond_destroy(&never) == 0);
    assert(pthread_rwlock_destroy(&rwlock) == 0);
    assert(pthread_spin_destroy(&spinlock) == 0);
    assert(pthread_barrier_destroy(&barrier) == 0);
    assert(sem_destroy(&two) == 0);
    assert(sem_destroy(&done) == 0);
    assert(sem_destroy(&detached_done) == 0);
    assert(pthread_key_delete(key) == 0);
}

int main(void)
{
    pthread_t other;
    void *result;

    initialise_objects();
    for (int t = 0; t < THREADS; t++)
        assert(pthread_create(&threads[t], NULL, work, (void *)(intptr_t)t) == 0);
    assert(!pthread_equal(threads[0], threads[1]) && !pthread_equal(threads[0], pthread_self()));
    for (int t = 0; t < THREADS; t++) {
        assert(pthread_join(threads[t], &result) == 0);
        assert((intptr_t)result == t + 10);
    }
    assert(pthread_create(&other, NULL, detached, NULL) == 0);
    assert(sem_wait(&detached_done) == 0);

    assert(once_runs == 1 && atomic_load(&destroyed) == THREADS);
    assert(atomic_load(&serial) == 1);
    assert(guarded == THREADS && guarded_by_recursive == 2 * THREADS);
    assert(turn == THREADS);
    assert(left_half == 1 && right_half == 1);
    assert(guarded_by_spin == THREADS && guarded_by_futex == THREADS);
    for (int t = 0; t < THREADS; t++)
        assert(sem_wait(&done) == 0);
    assert(sem_trywait(&done) == -1 && errno == EAGAIN);
    destroy_objects();
    return 0;
}
