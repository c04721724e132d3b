/*
 * The libc side of the runtime: functions of libc that the subject calls and that
 * must be seen (memory is read or written), made deterministic (time, random
 * numbers, ids), undone at a reset (descriptors, mappings, exit handlers) or
 * refused with a clear sentence (processes, timers).
 *
 *   libc_memory.c  mem*          libc_string.c  str*         libc_text.c  printf to memory, scanf
 *   libc_time.c    clocks, sleeps           libc_random.c    libc_exit.c  exit, abort, assert
 *   libc_signal.c  signals       libc_files.c   descriptors  libc_io.c    read, write, stat
 *   libc_poll.c    poll, select, epoll                       libc_stdio.c streams
 *   libc_wide.c    wcs*, wmem*   libc_sort.c    qsort        libc_system.c limits, file systems
 *   libstdcxx.c    nodes of containers       libc_new.c       operator new
 *   libc_map.c     mmap          libc_misc.c    ids, processors, syscall(), cancellation, processes
 *
 * Every one of them replaces libc's function for the program and for libraries
 * such as libstdc++, not for calls inside libc. Who called decides what happens:
 *   the subject's own code, in an execution   the accesses are checked (pl_from_subject)
 *   anybody else outside the runtime          the same effect, nothing checked
 *   the runtime itself (pl_from_runtime)      the plain native thing
 */
#ifndef PL_RUNTIME_LIBC_H
#define PL_RUNTIME_LIBC_H

#include <errno.h>
#include <sys/syscall.h>

#include "runtime/rt.h"

/* ---- what the engine calls ----
 * At start-up; once, right before the first execution; at every reset. */
void pl_libc_init(void);
void pl_exit_snapshot(void);
void pl_files_snapshot(void);
void pl_maps_snapshot(void); /* before pl_reset_snapshot: it tracks regions */
void pl_exit_reset(void);
void pl_files_reset(void);
void pl_maps_reset(void);
void pl_random_reset(void);
/* main returned `status`, or exit(status) was called at pc. */
_Noreturn void pl_exit(int status, uint64_t pc);

/* ---- shared among the libc files ---- */
void pl_signal_init(void);
void pl_signal_snapshot(void);
void pl_signal_reset(void);
void pl_misc_reset(void);
void pl_exit_init(void);
void pl_files_init(void);
void pl_stdio_init(void);
void pl_string_init(void);
void pl_wide_init(void);
void pl_sort_init(void);
void pl_rand_init(void);
void pl_new_init(void);
void pl_system_init(void);
void pl_limits_reset(void);
void pl_text_init(void);
void pl_misc_init(void);

/* Sends `signal` to the running thread as raise() does. Returns if it is ignored,
 * blocked, or handled by a function of the subject; else it is a finding. */
void pl_signal_raise(int signal, uint64_t pc);

bool pl_signal_has_handler(int signal);
void pl_signal_inherit(uint32_t thread); /* a new thread has its creator's mask */

/* An overflow that _FORTIFY_SOURCE saw: `size` bytes do not fit into the object at `to`. */
_Noreturn void pl_fortify_overflow(const void *to, size_t size, uint64_t pc);

/* Descriptors (libc_files.c). */
void pl_files_opened(void);                         /* a descriptor may have been made */
void pl_files_replaced(int fd);                     /* fd is about to be closed or replaced */
void pl_files_flush(void);                          /* streams opened in this execution */
void pl_files_moved(void);                          /* a file position may have changed */
void pl_fd_wait(int fd, short events, uint64_t pc); /* until ready; others run meanwhile */
void pl_fd_release(int fd);                         /* what was done before happens before … */
void pl_fd_acquire(int fd);                         /* … what follows a read of the same file */

/* Memory the kernel will write to: pages that the reset watches would answer EFAULT. */
void pl_touch(void *start, size_t bytes);

/* getrandom and friends, for syscall(). */
void pl_random_fill(void *to, size_t bytes);

/* Sleeps of the virtual clock. */
int pl_sleep(uint64_t ns, uint64_t pc);

/* The functions behind syscall(): 0 or an error number. The caller is told, because a
 * call from inside the runtime of the exported ones would be the native thing. */
int pl_clock_read(int clock, void *timespec, uint64_t pc);
int pl_signal_thread(int tid, int signal, uint64_t pc);
int pl_signal_process(int pid, int signal, uint64_t pc);
_Noreturn void pl_exit_at_once(int status, uint64_t pc); /* no handlers, no flushing */

/* Code of libstdc++: what std::string does there is done for the subject. */
extern uint64_t pl_libstdcxx_start, pl_libstdcxx_end;
void pl_libstdcxx_init(void);

/* Are the accesses of a call of mem* or str* announced? */
static inline bool pl_is_announced(uint64_t pc)
{
    return rt.active && (pc - rt.program_start < rt.program_end - rt.program_start ||
                         pc - pl_libstdcxx_start < pl_libstdcxx_end - pl_libstdcxx_start);
}

static inline bool pl_from_runtime(uint64_t pc)
{
    return !rt.text_end || pc - rt.text_start < rt.text_end - rt.text_start;
}

/* Raw system call: the result, or -errno. */
static inline long pl_sys(long number, long a, long b, long c, long d, long e, long f)
{
    register long r10 __asm__("r10") = d;
    register long r8 __asm__("r8") = e;
    register long r9 __asm__("r9") = f;
    long result;
    __asm__ volatile("syscall"
                     : "=a"(result)
                     : "a"(number), "D"(a), "S"(b), "d"(c), "r"(r10), "r"(r8), "r"(r9)
                     : "rcx", "r11", "memory");
    return result;
}

/* As libc does it: -1 and errno. */
static inline long pl_sys_errno(long result)
{
    if (pl_unlikely((unsigned long)result > -4096ul)) {
        errno = (int)-result;
        return -1;
    }
    return result;
}

#define PL_SYS(number, a, b, c, d, e, f)                                                           \
    pl_sys(number, (long)(a), (long)(b), (long)(c), (long)(d), (long)(e), (long)(f))
#define PL_SYS_ERRNO(...) pl_sys_errno(PL_SYS(__VA_ARGS__))

/*
 * The real functions of a file: a table of X(result, name, (arguments)) gives
 * pointers real_NAME, and REAL(init, NAME) one that is set also when somebody calls
 * before the runtime has started.
 */
#define PL_REAL_POINTER(result, name, arguments) static result(*real_##name) arguments;
#define PL_REAL_FIND(result, name, arguments)                                                      \
    real_##name = (result(*) arguments)(uintptr_t)pl_real(#name);

#endif
