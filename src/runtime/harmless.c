/*
 * What these functions do is seen elsewhere: the steps on objects are events of the graph,
 * writes to memory are in the journal. Time that passes in a sleep counts only if somebody
 * looks at the clock, and that is an effect.
 */
#include "runtime/harmless.h"

#include <dlfcn.h>
#include <stddef.h>

static const char *const names[] = {
    /* objects */
    "pthread_mutex_lock", "pthread_mutex_trylock", "pthread_mutex_timedlock",
    "pthread_mutex_clocklock", "pthread_mutex_unlock", "pthread_spin_lock", "pthread_spin_trylock",
    "pthread_spin_unlock", "pthread_rwlock_rdlock", "pthread_rwlock_tryrdlock",
    "pthread_rwlock_timedrdlock", "pthread_rwlock_wrlock", "pthread_rwlock_trywrlock",
    "pthread_rwlock_timedwrlock", "pthread_rwlock_unlock", "pthread_cond_wait",
    "pthread_cond_timedwait", "pthread_cond_signal", "pthread_cond_broadcast",
    "pthread_barrier_wait", "pthread_once", "sem_wait", "sem_trywait", "sem_timedwait", "sem_post",
    "sem_getvalue", "mtx_lock", "mtx_trylock", "mtx_timedlock", "mtx_unlock", "cnd_wait",
    "cnd_timedwait", "cnd_signal", "cnd_broadcast", "syscall",
    /* letting time pass */
    "sched_yield", "pthread_yield", "thrd_yield", "sleep", "usleep", "nanosleep", "clock_nanosleep",
    "thrd_sleep",
    /* looking */
    "pthread_self", "pthread_equal", "pthread_getspecific", "thrd_current", "thrd_equal", "tss_get",
    "gettid", "getpid", "__errno_location", "memcmp", "bcmp", "memchr", "strlen", "strnlen",
    "strcmp", "strncmp", "strchr", "strrchr", "strstr", "abs", "labs",
    /* writing memory */
    "memcpy", "memmove", "memset", "mempcpy", "strcpy", "strncpy", "stpcpy", "strcat", "strncat",
    /* ends, choices */
    "abort", "__assert_fail", "__assert_perror_fail", "plumb_assume", "plumb_choose", "plumb_point",
    "plumb_point_for", "plumb_operation", "__VERIFIER_assume", "__VERIFIER_nondet_bool",
    "__VERIFIER_nondet_int", "__VERIFIER_error", "reach_error", "__cxa_guard_acquire",
    "__cxa_guard_release", "__cxa_guard_abort"};

enum { COUNT = sizeof names / sizeof *names };
static uint64_t address_of[COUNT];

void pl_harmless_init(void)
{
    for (unsigned i = 0; i < COUNT; i++)
        address_of[i] = (uint64_t)dlsym(RTLD_DEFAULT, names[i]);
}

static bool is_listed(uint64_t function)
{
    for (unsigned i = 0; i < COUNT; i++)
        if (address_of[i] == function)
            return true;
    return false;
}

bool pl_is_harmless(uint64_t function)
{
    static struct {
        uint64_t function;
        bool harmless;
    } known[64]; /* a program calls few, again and again */
    unsigned at = (unsigned)(function * 0x9e3779b97f4a7c15u >> 58);
    if (known[at].function != function) {
        known[at].harmless = is_listed(function);
        known[at].function = function;
    }
    return known[at].harmless;
}
