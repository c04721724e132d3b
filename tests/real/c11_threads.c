/* C11 <threads.h>: threads, mutexes (plain, recursive, timed), condition variables, thread-specific
 * storage, call_once, _Thread_local.
 *
 * Switches: none. Races: none allowed: every plain word is guarded.
 *
 * Asserted: a one-place buffer hands over every value once, in order; the counter is exact;
 * call_once runs once; each thread has its own storage, destroyed at its end; results come back
 * from join.
 *
 * With -DMISUSE, what must be found: the consumer looks at the place without the lock (data race).
 */
#include <assert.h>
#include <stdlib.h>
#include <threads.h>
#include <time.h>

enum { THREADS = 2, VALUES = 2 };

static once_flag once = ONCE_FLAG_INIT;
static tss_t storage;
static mtx_t lock, recursive, timed;
static cnd_t changed;
static int once_runs, destroyed, place, count;
static _Thread_local int local;

static void destroy(void *value)
{
    free(value);
    mtx_lock(&lock);
    destroyed++;
    mtx_unlock(&lock);
}

static void initialise(void)
{
    once_runs++;
    assert(tss_create(&storage, destroy) == thrd_success);
}

static void prologue(int me)
{
    struct timespec deadline;
    int *value = malloc(sizeof(*value)), got;

    call_once(&once, initialise);
    assert(once_runs == 1 && tss_get(storage) == NULL && local == 0);
    *value = local = me;
    assert(tss_set(storage, value) == thrd_success);

    assert(mtx_lock(&recursive) == thrd_success);
    assert(mtx_trylock(&recursive) == thrd_success);
    count++;
    assert(mtx_unlock(&recursive) == thrd_success);
    assert(mtx_unlock(&recursive) == thrd_success);

    timespec_get(&deadline, TIME_UTC);
    deadline.tv_sec += 100;
    got = mtx_timedlock(&timed, &deadline);
    assert(got == thrd_success || got == thrd_timedout);
    if (got == thrd_success)
        assert(mtx_unlock(&timed) == thrd_success);
}

static int produce(void *arg)
{
    prologue(1);
    for (int i = 1; i <= VALUES; i++) {
        assert(mtx_lock(&lock) == thrd_success);
        while (place != 0)
            assert(cnd_wait(&changed, &lock) == thrd_success);
        place = i;
        assert(cnd_signal(&changed) == thrd_success);
        assert(mtx_unlock(&lock) == thrd_success);
        thrd_yield();
    }
    assert(local == 1 && *(int *)tss_get(storage) == 1);
    return arg ? 0 : 11;
}

static int consume(void *arg)
{
    prologue(2);
#ifdef MISUSE
    while (place == 0)
        thrd_yield();
#endif
    for (int i = 1; i <= VALUES; i++) {
        assert(mtx_lock(&lock) == thrd_success);
        while (place == 0)
            assert(cnd_wait(&changed, &lock) == thrd_success);
        assert(place == i);
        place = 0;
        assert(cnd_broadcast(&changed) == thrd_success);
        assert(mtx_unlock(&lock) == thrd_success);
    }
    assert(local == 2 && *(int *)tss_get(storage) == 2);
    if (!arg)
        thrd_exit(12);
    return 0;
}

int main(void)
{
    thrd_t threads[THREADS];
    int result;

    assert(mtx_init(&lock, mtx_plain) == thrd_success);
    assert(mtx_init(&recursive, mtx_plain | mtx_recursive) == thrd_success);
    assert(mtx_init(&timed, mtx_timed) == thrd_success);
    assert(cnd_init(&changed) == thrd_success);
    assert(thrd_create(&threads[0], produce, NULL) == thrd_success);
    assert(thrd_create(&threads[1], consume, NULL) == thrd_success);
    assert(!thrd_equal(threads[0], threads[1]) && !thrd_equal(threads[0], thrd_current()));
    for (int t = 0; t < THREADS; t++) {
        assert(thrd_join(threads[t], &result) == thrd_success);
        assert(result == 11 + t);
    }
    assert(once_runs == 1 && destroyed == THREADS && count == THREADS && local == 0);
    cnd_destroy(&changed);
    mtx_destroy(&timed);
    mtx_destroy(&recursive);
    mtx_destroy(&lock);
    tss_delete(storage);
    return 0;
}
