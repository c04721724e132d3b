/* threads.h: thrd, mtx, cnd, tss, call_once. */
#undef NDEBUG
#include <assert.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <threads.h>
#include <time.h>

static once_flag flag = ONCE_FLAG_INIT;
static mtx_t mutex, recursive, timed;
static cnd_t changed;
static tss_t key;
static int initialised, turn, counter;
static atomic_int destroyed;

static void initialise(void)
{
    initialised++;
}
static void destroy(void *value)
{
    atomic_fetch_add(&destroyed, 1);
    free(value);
}

static struct timespec from_now(long ms)
{
    struct timespec t;
    assert(timespec_get(&t, TIME_UTC) == TIME_UTC);
    t.tv_sec += ms / 1000;
    return t;
}

static int body(void *argument)
{
    int me = *(int *)argument;
    call_once(&flag, initialise);
    assert(initialised == 1);
    assert(tss_get(key) == NULL);
    assert(tss_set(key, malloc(10)) == thrd_success);
    assert(tss_get(key) != NULL);
    assert(mtx_lock(&mutex) == thrd_success);
    while (turn != me)
        assert(cnd_wait(&changed, &mutex) == thrd_success);
    turn++;
    counter++;
    assert(cnd_broadcast(&changed) == thrd_success);
    assert(mtx_unlock(&mutex) == thrd_success);
    if (me == 1)
        thrd_exit(me + 100);
    return me + 100;
}

static int sees_busy(void *m)
{
    assert(mtx_trylock(m) == thrd_busy);
    return 0;
}

static int times_out(void *m)
{
    struct timespec late = from_now(-1000);
    assert(mtx_timedlock(m, &late) == thrd_timedout);
    return 0;
}

static void other(int (*f)(void *), void *argument)
{
    thrd_t thread;
    int result = -1;
    assert(thrd_create(&thread, f, argument) == thrd_success);
    assert(thrd_join(thread, &result) == thrd_success && result == 0);
}

static int nothing(void *unused)
{
    (void)unused;
    return 0;
}

int main(void)
{
    assert(mtx_init(&mutex, mtx_plain) == thrd_success);
    assert(mtx_init(&recursive, mtx_plain | mtx_recursive) == thrd_success);
    assert(mtx_init(&timed, mtx_timed) == thrd_success);
    assert(cnd_init(&changed) == thrd_success);
    assert(tss_create(&key, destroy) == thrd_success);
    assert(thrd_equal(thrd_current(), thrd_current()));

    int ids[3] = {2, 1, 0}, result;
    thrd_t threads[3];
    for (int i = 0; i < 3; i++)
        assert(thrd_create(&threads[i], body, &ids[i]) == thrd_success);
    assert(!thrd_equal(threads[0], threads[1]) && !thrd_equal(threads[0], thrd_current()));
    for (int i = 0; i < 3; i++) {
        assert(thrd_join(threads[i], &result) == thrd_success);
        assert(result == ids[i] + 100);
    }
    assert(counter == 3 && turn == 3 && atomic_load(&destroyed) == 3 && initialised == 1);

    assert(mtx_trylock(&mutex) == thrd_success);
    assert(mtx_trylock(&mutex) == thrd_busy);
    other(sees_busy, &mutex);
    struct timespec late = from_now(-1000);
    int waited;
    do
        waited = cnd_timedwait(&changed, &mutex, &late);
    while (waited == thrd_success);
    assert(waited == thrd_timedout);
    assert(cnd_signal(&changed) == thrd_success);
    assert(mtx_unlock(&mutex) == thrd_success);
    assert(mtx_lock(&recursive) == thrd_success && mtx_lock(&recursive) == thrd_success);
    assert(mtx_trylock(&recursive) == thrd_success);
    for (int i = 0; i < 3; i++) {
        other(sees_busy, &recursive);
        assert(mtx_unlock(&recursive) == thrd_success);
    }
    assert(mtx_timedlock(&timed, &late) == thrd_success);
    other(times_out, &timed);
    assert(mtx_unlock(&timed) == thrd_success);

    thrd_yield();
    struct timespec little = {0, 1000000}, rest;
    assert(thrd_sleep(&little, &rest) == 0);
    thrd_t detached;
    assert(thrd_create(&detached, nothing, NULL) == thrd_success);
    assert(thrd_detach(detached) == thrd_success);
    tss_delete(key);
    cnd_destroy(&changed);
    mtx_destroy(&mutex);
    mtx_destroy(&recursive);
    mtx_destroy(&timed);
    return 0;
}
