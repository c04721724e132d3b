/*
 * C11 <threads.h>, on the objects of the other files: a mtx_t is a pthread_mutex_t,
 * a cnd_t a pthread_cond_t, a tss_t a key, a once_flag a control word. thrd_sleep and
 * thrd_yield are with the other sleeps in libc_time.c; thrd_equal is libc's own.
 */
#include <errno.h>
#include <threads.h>

#include "runtime/objects.h"

_Static_assert(sizeof(mtx_t) == sizeof(pthread_mutex_t), "the same object");
_Static_assert(sizeof(cnd_t) == sizeof(pthread_cond_t), "the same object");
_Static_assert(sizeof(once_flag) == sizeof(pthread_once_t), "the same object");

static pthread_mutex_t *mutex_of(mtx_t *mutex)
{
    return (pthread_mutex_t *)(void *)mutex;
}

static pthread_cond_t *cond_of(cnd_t *cond)
{
    return (pthread_cond_t *)(void *)cond;
}

static int c11(int status)
{
    switch (status) {
    case 0:
        return thrd_success;
    case ENOMEM:
        return thrd_nomem;
    case ETIMEDOUT:
        return thrd_timedout;
    case EBUSY:
        return thrd_busy;
    default:
        return thrd_error;
    }
}

/* ---- threads ---- */

PL_EXPORT int thrd_create(thrd_t *thread, thrd_start_t function, void *argument)
{
    uint64_t pc = PL_CALLER;
    uint64_t handle = 0;
    /* Called through a pointer that returns a pointer, an int comes back in its low
     * half: thrd_join looks at no more. */
    void *(*start)(void *) = (void *(*)(void *))(void (*)(void))function;
    pl_writes(thread, sizeof *thread, pc);
    int status = pl_thread_create(&handle, 0, false, start, argument, pc);
    if (status == 0)
        *thread = handle;
    return c11(status);
}

PL_EXPORT int thrd_join(thrd_t thread, int *result)
{
    uint64_t pc = PL_CALLER;
    void *value = NULL;
    int status = pl_thread_join(thread, &value, 0, false, pc);
    if (status == 0 && result) {
        pl_writes(result, sizeof *result, pc);
        *result = (int)(intptr_t)value;
    }
    return c11(status);
}

PL_EXPORT int thrd_detach(thrd_t thread)
{
    return c11(pthread_detach(thread));
}

PL_EXPORT _Noreturn void thrd_exit(int result)
{
    uint64_t pc = PL_CALLER;
    pl_thread_exit((void *)(intptr_t)result, pc);
}

PL_EXPORT thrd_t thrd_current(void)
{
    return pthread_self();
}

/* ---- mutexes ---- */

PL_EXPORT int mtx_init(mtx_t *mutex, int type)
{
    uint64_t pc = PL_CALLER;
    if (type & ~(mtx_recursive | mtx_timed))
        return thrd_error;
    if (rt.active)
        pl_point(pc);
    bool recursive = type & mtx_recursive;
    return c11(pl_mutex_init(mutex_of(mutex),
                             recursive ? PTHREAD_MUTEX_RECURSIVE : PTHREAD_MUTEX_NORMAL, pc));
}

PL_EXPORT void mtx_destroy(mtx_t *mutex)
{
    uint64_t pc = PL_CALLER;
    if (rt.active)
        pl_point(pc);
    pl_mutex_destroy(mutex_of(mutex), pc);
}

PL_EXPORT int mtx_lock(mtx_t *mutex)
{
    uint64_t pc = PL_CALLER;
    if (!rt.active)
        return thrd_success;
    pl_point(pc);
    return c11(pl_mutex_lock(mutex_of(mutex), PL_FOR_EVER, pc));
}

PL_EXPORT int mtx_timedlock(mtx_t *mutex, const struct timespec *time)
{
    uint64_t pc = PL_CALLER;
    if (!rt.active)
        return thrd_success;
    pl_reads(time, sizeof *time, pc);
    pl_point(pc);
    return c11(pl_mutex_lock(mutex_of(mutex), (struct pl_until){time, CLOCK_REALTIME}, pc));
}

PL_EXPORT int mtx_trylock(mtx_t *mutex)
{
    uint64_t pc = PL_CALLER;
    if (!rt.active)
        return thrd_success;
    pl_point(pc);
    return c11(pl_mutex_trylock(mutex_of(mutex), pc));
}

PL_EXPORT int mtx_unlock(mtx_t *mutex)
{
    uint64_t pc = PL_CALLER;
    if (!rt.active)
        return thrd_success;
    pl_point(pc);
    return c11(pl_mutex_unlock(mutex_of(mutex), pc));
}

/* ---- condition variables ---- */

PL_EXPORT int cnd_init(cnd_t *cond)
{
    uint64_t pc = PL_CALLER;
    return c11(pl_cond_init(cond_of(cond), CLOCK_REALTIME, false, pc));
}

PL_EXPORT void cnd_destroy(cnd_t *cond)
{
    uint64_t pc = PL_CALLER;
    pl_cond_destroy(cond_of(cond), pc);
}

PL_EXPORT int cnd_signal(cnd_t *cond)
{
    uint64_t pc = PL_CALLER;
    return c11(pl_cond_signal(cond_of(cond), pc));
}

PL_EXPORT int cnd_broadcast(cnd_t *cond)
{
    uint64_t pc = PL_CALLER;
    return c11(pl_cond_broadcast(cond_of(cond), pc));
}

PL_EXPORT int cnd_wait(cnd_t *cond, mtx_t *mutex)
{
    uint64_t pc = PL_CALLER;
    return c11(pl_cond_wait(cond_of(cond), mutex_of(mutex), PL_FOR_EVER, pc));
}

PL_EXPORT int cnd_timedwait(cnd_t *cond, mtx_t *mutex, const struct timespec *time)
{
    uint64_t pc = PL_CALLER;
    struct pl_until until = {time, PL_CLOCK_OF_COND};
    return c11(pl_cond_wait(cond_of(cond), mutex_of(mutex), until, pc));
}

/* ---- once, thread-specific storage ---- */

PL_EXPORT void call_once(once_flag *flag, void (*function)(void))
{
    uint64_t pc = PL_CALLER;
    pl_once((int *)(void *)flag, function, pc);
}

PL_EXPORT int tss_create(tss_t *key, tss_dtor_t destructor)
{
    uint64_t pc = PL_CALLER;
    return c11(pl_key_create(key, destructor, pc));
}

PL_EXPORT void tss_delete(tss_t key)
{
    uint64_t pc = PL_CALLER;
    pl_key_delete(key, pc);
}

PL_EXPORT void *tss_get(tss_t key)
{
    return pthread_getspecific(key);
}

PL_EXPORT int tss_set(tss_t key, void *value)
{
    return c11(pthread_setspecific(key, value));
}
