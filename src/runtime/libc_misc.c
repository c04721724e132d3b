/*
 * The rest: ids, processors, syscall(), cancellation, processes, libraries.
 * What would differ from run to run is a constant here; what cannot be undone at a
 * reset, or cannot be scheduled, is refused with a sentence that says so.
 */
#include <dlfcn.h>
#include <pthread.h>
#include <sched.h>
#include <spawn.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/sysinfo.h>
#include <sys/utsname.h>
#include <time.h>
#include <unistd.h>

#include "runtime/futex.h"
#include "runtime/libc.h"
#include "runtime/libc_files.h"
#include "runtime/symmetry.h"

enum { PID = 4242, PROCESSORS = 4, NAME_BYTES = 16 };

static struct {
    char name[PL_MAX_THREADS][NAME_BYTES]; /* pthread_setname_np */
    uint8_t cancel_state[PL_MAX_THREADS], cancel_type[PL_MAX_THREADS];
    bool dirty;
} state;

#define REAL_TABLE(X)                                                                              \
    X(long, sysconf, (int))                                                                        \
    X(void *, dlopen, (const char *, int))                                                         \
    X(int, dlclose, (void *))                                                                      \
    X(pid_t, fork, (void))                                                                         \
    X(int, system, (const char *))                                                                 \
    X(FILE *, popen, (const char *, const char *))                                                 \
    X(int, pthread_getattr_np, (pthread_t, pthread_attr_t *))
REAL_TABLE(PL_REAL_POINTER)
#define REAL(name) (*(real_##name ? real_##name : (pl_misc_init(), real_##name)))

void pl_misc_init(void)
{
    REAL_TABLE(PL_REAL_FIND)
}

void pl_libc_init(void)
{
    pl_string_init();
    pl_wide_init();
    pl_sort_init();
    pl_rand_init();
    pl_new_init();
    pl_system_init();
    pl_text_init();
    pl_exit_init();
    pl_signal_init();
    pl_files_init();
    pl_stdio_init();
    pl_misc_init();
    pl_libstdcxx_init();
}

void pl_misc_reset(void)
{
    pl_limits_reset();
    if (!state.dirty)
        return;
    memset(&state, 0, sizeof state);
}

static uint32_t self(void)
{
    return rt.active ? rt.self->id : 0;
}

/* ---- ids ---- */

PL_EXPORT pid_t getpid(void)
{
    return pl_from_runtime(PL_CALLER) ? (pid_t)PL_SYS(SYS_getpid, 0, 0, 0, 0, 0, 0) : PID;
}

PL_EXPORT pid_t __getpid(void);
pid_t __getpid(void)
{
    return PID;
}

PL_EXPORT pid_t getppid(void)
{
    return PID - 1;
}

PL_EXPORT pid_t gettid(void)
{
    if (pl_from_runtime(PL_CALLER))
        return (pid_t)PL_SYS(SYS_gettid, 0, 0, 0, 0, 0, 0);
    pl_symmetry_name();
    return PID + (pid_t)self();
}

/* ---- processors ---- */

PL_EXPORT int sched_getcpu(void)
{
    return (int)(self() % PROCESSORS);
}

PL_EXPORT int pl_libc_getcpu(unsigned *cpu, unsigned *node) __asm__("getcpu");
int pl_libc_getcpu(unsigned *cpu, unsigned *node)
{
    if (cpu)
        *cpu = self() % PROCESSORS;
    if (node)
        *node = 0;
    return 0;
}

PL_EXPORT long sysconf(int name)
{
    if (name == _SC_NPROCESSORS_CONF || name == _SC_NPROCESSORS_ONLN)
        return PROCESSORS;
    return REAL(sysconf)(name);
}

PL_EXPORT int get_nprocs(void)
{
    return PROCESSORS;
}
PL_EXPORT int get_nprocs_conf(void)
{
    return PROCESSORS;
}

static int all_processors(size_t bytes, cpu_set_t *set, uint64_t pc)
{
    if (bytes < sizeof(long))
        return EINVAL;
    if (pl_from_subject(pc))
        pl_write_range(set, bytes, pc);
    memset(set, 0, bytes);
    *(unsigned long *)(void *)set = (1ul << PROCESSORS) - 1;
    return 0;
}

PL_EXPORT int sched_getaffinity(pid_t pid, size_t bytes, cpu_set_t *set)
{
    (void)pid;
    int error = all_processors(bytes, set, PL_CALLER);
    errno = error ? error : errno;
    return error ? -1 : 0;
}

PL_EXPORT int pthread_getaffinity_np(pthread_t thread, size_t bytes, cpu_set_t *set)
{
    (void)thread;
    return all_processors(bytes, set, PL_CALLER);
}

PL_EXPORT int sched_setaffinity(pid_t pid, size_t bytes, const cpu_set_t *set)
{
    (void)pid, (void)bytes, (void)set;
    return 0;
}

PL_EXPORT int pthread_setaffinity_np(pthread_t thread, size_t bytes, const cpu_set_t *set)
{
    (void)thread, (void)bytes, (void)set;
    return 0;
}

/* ---- attributes of threads: accepted; the scheduler is ours ---- */

PL_EXPORT int pthread_setschedparam(pthread_t thread, int policy, const struct sched_param *p)
{
    (void)thread, (void)policy, (void)p;
    return 0;
}

PL_EXPORT int pthread_getschedparam(pthread_t thread, int *policy, struct sched_param *p)
{
    (void)thread;
    *policy = SCHED_OTHER;
    *p = (struct sched_param){0};
    return 0;
}

PL_EXPORT int pthread_setschedprio(pthread_t thread, int priority)
{
    (void)thread, (void)priority;
    return 0;
}

PL_EXPORT int sched_setscheduler(pid_t pid, int policy, const struct sched_param *p)
{
    (void)pid, (void)policy, (void)p;
    return 0;
}

PL_EXPORT int pthread_setconcurrency(int level)
{
    (void)level;
    return 0;
}

PL_EXPORT int pthread_setname_np(pthread_t thread, const char *name)
{
    const struct pl_thread *t = rt.active ? pl_thread_of((uint64_t)thread) : &rt.thread[0];
    size_t length = strlen(name);
    if (!t)
        return ESRCH;
    if (length >= NAME_BYTES)
        return ERANGE;
    memcpy(state.name[t->id], name, length + 1);
    state.dirty = rt.unkept = true;
    return 0;
}

PL_EXPORT int pthread_getname_np(pthread_t thread, char *name, size_t bytes)
{
    uint64_t pc = PL_CALLER;
    const struct pl_thread *t = rt.active ? pl_thread_of((uint64_t)thread) : &rt.thread[0];
    if (!t)
        return ESRCH;
    const char *known = state.name[t->id][0] ? state.name[t->id] : "subject";
    size_t length = strlen(known);
    if (bytes <= length)
        return ERANGE;
    if (pl_from_subject(pc))
        pl_write_range(name, length + 1, pc);
    memcpy(name, known, length + 1);
    return 0;
}

PL_EXPORT int pthread_getattr_np(pthread_t thread, pthread_attr_t *attr)
{
    if (!rt.active)
        return REAL(pthread_getattr_np)(thread, attr);
    const struct pl_thread *t = pl_thread_of((uint64_t)thread);
    if (!t)
        return ESRCH;
    uint64_t top = PL_STACKS + (t->id + 1) * (uint64_t)PL_STACK_STRIDE;
    uint64_t bytes = (uint64_t)t->stack_kib << 10;
    pthread_attr_init(attr);
    pthread_attr_setdetachstate(attr,
                                t->detached ? PTHREAD_CREATE_DETACHED : PTHREAD_CREATE_JOINABLE);
    return pthread_attr_setstack(attr, (void *)(top - bytes), bytes);
}

PL_EXPORT int pthread_getcpuclockid(pthread_t thread, clockid_t *clock)
{
    (void)thread;
    *clock = CLOCK_THREAD_CPUTIME_ID;
    return 0;
}

/* ---- cancellation: only not asked for is it supported ---- */

PL_EXPORT int pthread_cancel(pthread_t thread)
{
    (void)thread;
    pl_unsupported("pthread_cancel: not supported; let the thread end by itself", PL_CALLER);
}

PL_EXPORT int pthread_setcancelstate(int value, int *old)
{
    if (old)
        *old = state.cancel_state[self()];
    state.cancel_state[self()] = (uint8_t)value;
    state.dirty = rt.unkept = true;
    return 0;
}

PL_EXPORT int pthread_setcanceltype(int value, int *old)
{
    if (old)
        *old = state.cancel_type[self()];
    state.cancel_type[self()] = (uint8_t)value;
    state.dirty = rt.unkept = true;
    return 0;
}

PL_EXPORT void pthread_testcancel(void) {}

/* ---- processes ---- */

static const char no_processes[] =
    "a program that starts other processes (fork, exec, posix_spawn, system, popen, clone) cannot "
    "be reset between executions: not supported";

#define REFUSE(type, name, parameters)                                                             \
    PL_EXPORT type name parameters;                                                                \
    type name parameters                                                                           \
    {                                                                                              \
        pl_unsupported(no_processes, PL_CALLER);                                                   \
    }
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wunused-parameter"
REFUSE(pid_t, vfork, (void))
REFUSE(int, clone, (int (*f)(void *), void *stack, int flags, void *argument, ...))
REFUSE(int, execve, (const char *path, char *const argv[], char *const envp[]))
REFUSE(int, execv, (const char *path, char *const argv[]))
REFUSE(int, execvp, (const char *path, char *const argv[]))
REFUSE(int, execvpe, (const char *path, char *const argv[], char *const envp[]))
REFUSE(int, execl, (const char *path, const char *argument, ...))
REFUSE(int, execlp, (const char *path, const char *argument, ...))
REFUSE(int, execle, (const char *path, const char *argument, ...))
REFUSE(int, fexecve, (int fd, char *const argv[], char *const envp[]))
REFUSE(int, daemon, (int nochdir, int noclose))
REFUSE(int, posix_spawn,
       (pid_t *restrict pid, const char *restrict path, const posix_spawn_file_actions_t *actions,
        const posix_spawnattr_t *restrict attr, char *const argv[restrict],
        char *const envp[restrict]))
REFUSE(int, posix_spawnp,
       (pid_t *restrict pid, const char *restrict path, const posix_spawn_file_actions_t *actions,
        const posix_spawnattr_t *restrict attr, char *const argv[restrict],
        char *const envp[restrict]))
#pragma GCC diagnostic pop

/* Before main they may be used: nothing has to be undone. */
PL_EXPORT pid_t fork(void)
{
    if (rt.active)
        pl_unsupported(no_processes, PL_CALLER);
    return REAL(fork)();
}

PL_EXPORT int system(const char *command)
{
    if (rt.active)
        pl_unsupported(no_processes, PL_CALLER);
    return REAL(system)(command);
}

PL_EXPORT FILE *popen(const char *command, const char *mode)
{
    if (rt.active)
        pl_unsupported(no_processes, PL_CALLER);
    return REAL(popen)(command, mode);
}

/* pthread_atfork: nobody forks. */
PL_EXPORT int __register_atfork(void (*prepare)(void), void (*parent)(void), void (*child)(void),
                                void *dso);
int __register_atfork(void (*prepare)(void), void (*parent)(void), void (*child)(void), void *dso)
{
    (void)prepare, (void)parent, (void)child, (void)dso;
    return 0;
}

/* ---- libraries ---- */

PL_EXPORT void *dlopen(const char *file, int mode)
{
    uint64_t pc = PL_CALLER;
    if (rt.active && file && !(mode & RTLD_NOLOAD) && !pl_from_runtime(pc))
        pl_unsupported("dlopen after the start of main: not supported, a library cannot be loaded "
                       "afresh for every execution; link the program with it",
                       pc);
    return REAL(dlopen)(file, mode);
}

PL_EXPORT int dlclose(void *library)
{
    return rt.active ? 0 : REAL(dlclose)(library);
}

/* ---- what the kernel answers ---- */

PL_EXPORT int uname(struct utsname *out)
{
    uint64_t pc = PL_CALLER;
    if (pl_from_subject(pc))
        pl_write_range(out, sizeof *out, pc);
    pl_touch(out, sizeof *out);
    return (int)PL_SYS_ERRNO(SYS_uname, out, 0, 0, 0, 0, 0);
}

PL_EXPORT int ioctl(int fd, unsigned long request, ...)
{
    va_list list;
    va_start(list, request);
    long argument = va_arg(list, long);
    va_end(list);
    long result = PL_SYS(SYS_ioctl, fd, request, argument, 0, 0, 0);
    if (result == -EFAULT && (uint64_t)argument >= 4096) { /* a page the reset watches */
        pl_touch((void *)argument, 1);
        result = PL_SYS(SYS_ioctl, fd, request, argument, 0, 0, 0);
    }
    return (int)pl_sys_errno(result);
}

/* ---- syscall() ---- */

static long time_call(long number, const long a[6], uint64_t pc)
{
    const struct timespec *t = (const struct timespec *)a[number == SYS_clock_nanosleep ? 2 : 0];
    switch (number) {
    case SYS_clock_gettime:
        return -pl_clock_read((int)a[0], (void *)a[1], pc);
    case SYS_clock_nanosleep:
        if ((int)a[1] & TIMER_ABSTIME) {
            uint64_t until = pl_deadline((int)a[0], t);
            return pl_sleep(until > rt.now ? until - rt.now : 0, pc);
        }
        break;
    default:
        break;
    }
    return pl_sleep((uint64_t)t->tv_sec * 1000000000u + (uint64_t)t->tv_nsec, pc);
}

/* Those of our own make; the others go to the kernel. */
static long modelled(long number, const long a[6], uint64_t pc, bool *known)
{
    *known = true;
    switch (number) {
    case SYS_futex:
        return pl_futex((uint32_t *)a[0], (int)a[1], (uint32_t)a[2], (const void *)a[3],
                        (uint32_t *)a[4], (uint32_t)a[5], pc);
    case SYS_gettid:
        return PID + (long)self();
    case SYS_getpid:
        return PID;
    case SYS_getppid:
        return PID - 1;
    case SYS_sched_yield:
        pl_yield(pc);
        return 0;
    case SYS_getrandom:
        pl_random_fill((void *)a[0], (size_t)a[1]);
        return a[1];
    case SYS_getcpu:
        return pl_libc_getcpu((unsigned *)a[0], (unsigned *)a[1]);
    case SYS_clock_gettime:
    case SYS_nanosleep:
    case SYS_clock_nanosleep:
        return time_call(number, a, pc);
    case SYS_membarrier:
        /* Executions are sequentially consistent: a barrier of all is a point, no more.
         * Asked what it can do (command 0) it says the two that everybody uses. */
        pl_point(pc);
        return a[0] == 0 ? 1 | 8 | 16 : 0;
    case SYS_exit_group:
    case SYS_exit:
        pl_exit_at_once((int)a[0], pc);
    case SYS_tgkill:
        return -pl_signal_thread((int)a[1], (int)a[2], pc);
    case SYS_kill:
        return -pl_signal_process((int)a[0], (int)a[1], pc);
    case SYS_mmap:
    case SYS_munmap:
    case SYS_mremap:
    case SYS_brk:
        pl_unsupported("syscall(): memory must be mapped by calling mmap itself", pc);
    case SYS_clone:
    case SYS_clone3:
    case SYS_fork:
    case SYS_vfork:
    case SYS_execve:
        pl_unsupported(no_processes, pc);
    default:
        *known = false;
        return 0;
    }
}

/* Any argument may be where the kernel writes: after EFAULT, pages of the program that
 * the reset watches are touched and the call made once more. */
static void touch_arguments(const long a[6])
{
    for (int i = 0; i < 6; i++)
        if ((uint64_t)a[i] - rt.program_start < rt.program_end - rt.program_start)
            pl_touch((void *)a[i], 1);
}

PL_EXPORT long syscall(long number, ...)
{
    uint64_t pc = PL_CALLER;
    long a[6];
    va_list list;
    va_start(list, number);
    for (int i = 0; i < 6; i++)
        a[i] = va_arg(list, long);
    va_end(list);
    if (rt.active && !pl_from_runtime(pc)) {
        bool known;
        long result = modelled(number, a, pc, &known);
        if (known)
            return pl_sys_errno(result);
        pl_files_opened(); /* it may open something */
    }
    long result = pl_sys(number, a[0], a[1], a[2], a[3], a[4], a[5]);
    if (pl_unlikely(result == -EFAULT) && rt.active && !pl_from_runtime(pc)) {
        touch_arguments(a);
        result = pl_sys(number, a[0], a[1], a[2], a[3], a[4], a[5]);
    }
    if (rt.active)
        pl_fd_changed();
    return pl_sys_errno(result);
}
