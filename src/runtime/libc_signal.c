/*
 * Signals as far as a program sends them to itself. Nothing is installed in the
 * kernel: the runtime owns the signals of crashes, and a signal from outside has no
 * place in a schedule. sigaction, signal and the masks are remembered, and raise,
 * kill and pthread_kill call the handler as an ordinary function:
 *
 *   sent ──blocked by the mask──▶ pending ──unblocked, sigwait, sigsuspend──▶ delivered
 *     └──otherwise────────────────────────────────────────────────────────▶ delivered
 *   delivered: ignored | the subject's handler | a crash is found
 *
 * A handler runs on the thread the signal is for. That thread must be the sender or
 * wait in pause, sigsuspend or sigwait; to interrupt another one in the middle of its
 * work is refused, for nobody would choose the moment. A signal is not blocked while
 * its own handler runs: a handler may leave by siglongjmp, which we do not see.
 */
#include <pthread.h>
#include <signal.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "runtime/libc.h"

enum { SIGNALS = 65, PID = 4242 };

static struct {
    struct sigaction action[SIGNALS], base_action[SIGNALS];
    uint64_t mask[PL_MAX_THREADS], base_mask;
    uint64_t masks_known; /* bit per thread with its own; the others have main's */
    uint64_t pending[PL_MAX_THREADS], process_pending;
    uint64_t waiting; /* bit per thread in pause, sigsuspend, sigwait */
    bool dirty;
    uint32_t generation;           /* of the clocks */
    pl_tick *sent[PL_MAX_THREADS]; /* what happened before the signals for a thread */
} state;

#define REAL_TABLE(X) X(int, sigaction, (int, const struct sigaction *, struct sigaction *))
REAL_TABLE(PL_REAL_POINTER)
#define REAL(name) (*(real_##name ? real_##name : (pl_signal_init(), real_##name)))

void pl_signal_init(void)
{
    REAL_TABLE(PL_REAL_FIND)
    /* A write to a closed pipe comes back as EPIPE, and libc_io.c sends the signal. */
    struct sigaction ignore = {.sa_handler = SIG_IGN};
    real_sigaction(SIGPIPE, &ignore, NULL);
}

void pl_signal_snapshot(void)
{
    memcpy(state.base_action, state.action, sizeof state.action);
    state.base_mask = state.mask[0];
    state.dirty = rt.unkept = true;
    pl_signal_reset();
}

void pl_signal_reset(void)
{
    if (!state.dirty)
        return;
    memcpy(state.action, state.base_action, sizeof state.action);
    state.mask[0] = state.base_mask;
    memset(state.pending, 0, sizeof state.pending);
    state.masks_known = state.process_pending = state.waiting = 0;
    state.dirty = false;
}

/* ---- sets and masks ---- */

static uint64_t bit(int signal)
{
    return (uint64_t)1 << (signal - 1);
}
static uint64_t thread_bit(uint32_t thread)
{
    return (uint64_t)1 << thread;
}
static bool is_signal(int signal)
{
    return signal > 0 && signal < SIGNALS;
}
static uint64_t from_set(const sigset_t *set)
{
    return set->__val[0];
}

static void to_set(sigset_t *set, uint64_t bits)
{
    memset(set, 0, sizeof *set);
    set->__val[0] = bits;
}

static uint32_t self(void)
{
    return rt.active ? rt.self->id : 0;
}

static uint64_t mask_of(uint32_t thread)
{
    return state.mask[state.masks_known & thread_bit(thread) ? thread : 0];
}

static void set_mask(uint64_t bits)
{
    state.dirty = rt.unkept = true;
    state.masks_known |= thread_bit(self());
    state.mask[self()] = bits & ~(bit(SIGKILL) | bit(SIGSTOP));
}

void pl_signal_inherit(uint32_t thread)
{
    if (!state.dirty && !state.base_mask)
        return; /* nobody has a mask */
    state.dirty = rt.unkept = true;
    state.masks_known |= thread_bit(thread);
    state.mask[thread] = mask_of(self());
}

static pl_tick *clock_for(uint32_t thread)
{
    if (state.generation != rt.generation) {
        state.generation = rt.generation;
        memset(state.sent, 0, sizeof state.sent);
    }
    if (!state.sent[thread])
        state.sent[thread] = pl_clock_new();
    return state.sent[thread];
}

/* ---- delivering ---- */

static bool ignored_by_default(int signal)
{
    return signal == SIGCHLD || signal == SIGCONT || signal == SIGURG || signal == SIGWINCH;
}

static bool is_ignored(int signal)
{
    const struct sigaction *a = &state.action[signal];
    return a->sa_handler == SIG_IGN || (a->sa_handler == SIG_DFL && ignored_by_default(signal));
}

bool pl_signal_has_handler(int signal)
{
    const struct sigaction *a = &state.action[signal];
    return a->sa_handler != SIG_IGN && a->sa_handler != SIG_DFL;
}

static void deliver(int signal, uint64_t pc)
{
    struct sigaction a = state.action[signal];
    if (is_ignored(signal))
        return;
    if (a.sa_handler == SIG_DFL)
        pl_find_simple(PL_FINDING_CRASH, pc, (uint32_t)signal, NULL);
    if (a.sa_flags & (int)SA_RESETHAND) {
        state.action[signal] = (struct sigaction){.sa_handler = SIG_DFL};
        state.dirty = rt.unkept = true;
    }
    if (a.sa_flags & SA_SIGINFO) {
        siginfo_t info;
        memset(&info, 0, sizeof info);
        info.si_signo = signal;
        info.si_code = SI_USER;
        info.si_pid = PID;
        a.sa_sigaction(signal, &info, NULL);
    } else {
        a.sa_handler(signal);
    }
}

/* The lowest of the signals, taken from what is pending for the running thread; 0 if none. */
static int take(uint64_t wanted)
{
    uint64_t ready = (state.pending[self()] | state.process_pending) & wanted;
    if (!ready)
        return 0;
    int signal = __builtin_ctzll(ready) + 1;
    if (state.pending[self()] & bit(signal))
        state.pending[self()] &= ~bit(signal);
    else
        state.process_pending &= ~bit(signal);
    if (rt.active)
        pl_acquire(clock_for(self()));
    return signal;
}

static unsigned deliver_pending(uint64_t pc)
{
    unsigned count = 0;
    for (int signal; (signal = take(~mask_of(self()))) != 0; count++)
        deliver(signal, pc);
    return count;
}

void pl_signal_raise(int signal, uint64_t pc)
{
    if (mask_of(self()) & bit(signal)) {
        state.pending[self()] |= bit(signal);
        state.dirty = rt.unkept = true;
    } else {
        deliver(signal, pc);
    }
}

/* For a thread other than the running one. */
static void send(struct pl_thread *to, int signal, uint64_t pc)
{
    bool blocked = mask_of(to->id) & bit(signal);
    if (!blocked && is_ignored(signal))
        return;
    if (!blocked && !pl_signal_has_handler(signal))
        deliver(signal, pc); /* ends the process, whoever gets it */
    bool waits = state.waiting & thread_bit(to->id);
    if (!blocked && !waits)
        pl_unsupported("pthread_kill or kill interrupts another thread in the middle of its work: "
                       "not supported; let that thread wait in sigwait, sigsuspend or pause",
                       pc);
    state.pending[to->id] |= bit(signal);
    state.dirty = rt.unkept = true;
    pl_release_join(clock_for(to->id));
    rt.last_change = rt.steps;
    if (waits)
        pl_wake(to->id);
}

/* ---- sending ---- */

PL_EXPORT int raise(int signal)
{
    uint64_t pc = PL_CALLER;
    if (!rt.active || pl_from_runtime(pc))
        return (int)PL_SYS_ERRNO(SYS_tgkill, PL_SYS(SYS_getpid, 0, 0, 0, 0, 0, 0),
                                 PL_SYS(SYS_gettid, 0, 0, 0, 0, 0, 0), signal, 0, 0, 0);
    if (!is_signal(signal)) {
        errno = EINVAL;
        return -1;
    }
    pl_signal_raise(signal, pc);
    return 0;
}

int pl_signal_process(int pid, int signal, uint64_t pc)
{
    if (signal < 0 || signal >= SIGNALS)
        return EINVAL;
    if (!rt.active || (pid != PID && pid != 0))
        pl_unsupported("a signal to another process: not supported", pc);
    pl_point(pc);
    if (signal == 0)
        return 0;
    if (!(mask_of(self()) & bit(signal))) {
        deliver(signal, pc);
        return 0;
    }
    for (uint32_t i = 0; i < rt.nthreads; i++)
        if (rt.thread[i].state != PL_THREAD_FINISHED && i != self() &&
            (!(mask_of(i) & bit(signal)) || state.waiting & thread_bit(i))) {
            send(&rt.thread[i], signal, pc);
            return 0;
        }
    state.process_pending |= bit(signal);
    state.dirty = rt.unkept = true;
    for (uint32_t i = 0; i < rt.nthreads; i++)
        pl_release_join(clock_for(i));
    return 0;
}

PL_EXPORT int kill(pid_t pid, int signal)
{
    uint64_t pc = PL_CALLER;
    if (!rt.active || pl_from_runtime(pc))
        return (int)PL_SYS_ERRNO(SYS_kill, pid, signal, 0, 0, 0, 0);
    return (int)pl_sys_errno(-pl_signal_process(pid, signal, pc));
}

PL_EXPORT int sigqueue(pid_t pid, int signal, const union sigval value)
{
    uint64_t pc = PL_CALLER;
    (void)value;
    return (int)pl_sys_errno(-pl_signal_process(pid, signal, pc));
}

static int send_to_thread(struct pl_thread *to, int signal, uint64_t pc)
{
    if (signal < 0 || signal >= SIGNALS)
        return EINVAL;
    if (!to)
        return ESRCH;
    pl_point(pc);
    if (to->state == PL_THREAD_FINISHED || signal == 0)
        return 0;
    if (to == rt.self)
        pl_signal_raise(signal, pc);
    else
        send(to, signal, pc);
    return 0;
}

PL_EXPORT int pthread_kill(pthread_t thread, int signal)
{
    uint64_t pc = PL_CALLER;
    if (!rt.active)
        pl_unsupported("pthread_kill outside an execution", pc);
    return send_to_thread(pl_thread_of((uint64_t)thread), signal, pc);
}

int pl_signal_thread(int tid, int signal, uint64_t pc)
{
    uint32_t id = (uint32_t)(tid - PID);
    return send_to_thread(id < rt.nthreads ? &rt.thread[id] : NULL, signal, pc);
}

PL_EXPORT int tgkill(pid_t pid, pid_t tid, int signal)
{
    uint64_t pc = PL_CALLER;
    if (!rt.active || pl_from_runtime(pc))
        return (int)PL_SYS_ERRNO(SYS_tgkill, pid, tid, signal, 0, 0, 0);
    return (int)pl_sys_errno(-pl_signal_thread(tid, signal, pc));
}

/* ---- handlers ---- */

PL_EXPORT int sigaction(int signal, const struct sigaction *restrict new,
                        struct sigaction *restrict old)
{
    uint64_t pc = PL_CALLER;
    if (pl_from_runtime(pc))
        return REAL(sigaction)(signal, new, old);
    if (!is_signal(signal) || (new && (signal == SIGKILL || signal == SIGSTOP))) {
        errno = EINVAL;
        return -1;
    }
    struct sigaction was = state.action[signal];
    if (new) {
        if (pl_from_subject(pc))
            pl_read_range(new, sizeof *new, pc);
        state.action[signal] = *new;
        state.dirty = rt.unkept = true;
    }
    if (old) {
        if (pl_from_subject(pc))
            pl_write_range(old, sizeof *old, pc);
        *old = was;
    }
    return 0;
}

static sighandler_t set_handler(int signal, sighandler_t handler, int flags)
{
    if (!is_signal(signal) || signal == SIGKILL || signal == SIGSTOP) {
        errno = EINVAL;
        return SIG_ERR;
    }
    sighandler_t was = state.action[signal].sa_handler;
    state.action[signal] = (struct sigaction){.sa_handler = handler, .sa_flags = flags};
    state.dirty = rt.unkept = true;
    return was;
}

PL_EXPORT sighandler_t pl_libc_bsd_signal(int signal, sighandler_t handler) __asm__("bsd_signal");
PL_EXPORT sighandler_t pl_libc_sysv_signal(int signal,
                                           sighandler_t handler) __asm__("__sysv_signal");

PL_EXPORT sighandler_t signal(int number, sighandler_t handler)
{
    return set_handler(number, handler, SA_RESTART);
}

sighandler_t pl_libc_bsd_signal(int signal, sighandler_t handler)
{
    return set_handler(signal, handler, SA_RESTART);
}

sighandler_t pl_libc_sysv_signal(int signal, sighandler_t handler)
{
    return set_handler(signal, handler, (int)SA_RESETHAND);
}

PL_EXPORT int sigaltstack(const stack_t *restrict new, stack_t *restrict old)
{
    uint64_t pc = PL_CALLER;
    if (pl_from_runtime(pc))
        return (int)PL_SYS_ERRNO(SYS_sigaltstack, new, old, 0, 0, 0, 0);
    if (old)
        *old = (stack_t){.ss_flags = SS_DISABLE};
    return 0;
}

/* ---- masks ---- */

static int change_mask(int how, const sigset_t *set, sigset_t *old, uint64_t pc)
{
    uint64_t was = mask_of(self());
    if (set) {
        if (pl_from_subject(pc))
            pl_read_range(set, 8, pc);
        uint64_t bits = from_set(set);
        if (how == SIG_BLOCK)
            set_mask(was | bits);
        else if (how == SIG_UNBLOCK)
            set_mask(was & ~bits);
        else if (how == SIG_SETMASK)
            set_mask(bits);
        else
            return EINVAL;
    }
    if (old) {
        if (pl_from_subject(pc))
            pl_write_range(old, sizeof *old, pc);
        to_set(old, was);
    }
    if (rt.active)
        deliver_pending(pc);
    return 0;
}

PL_EXPORT int pthread_sigmask(int how, const sigset_t *restrict set, sigset_t *restrict old)
{
    uint64_t pc = PL_CALLER;
    if (pl_from_runtime(pc))
        return (int)-PL_SYS(SYS_rt_sigprocmask, how, set, old, 8, 0, 0);
    return change_mask(how, set, old, pc);
}

PL_EXPORT int sigprocmask(int how, const sigset_t *restrict set, sigset_t *restrict old)
{
    uint64_t pc = PL_CALLER;
    if (pl_from_runtime(pc))
        return (int)PL_SYS_ERRNO(SYS_rt_sigprocmask, how, set, old, 8, 0, 0);
    int error = change_mask(how, set, old, pc);
    errno = error ? error : errno;
    return error ? -1 : 0;
}

PL_EXPORT int sigpending(sigset_t *set)
{
    to_set(set, (state.pending[self()] | state.process_pending) & mask_of(self()));
    return 0;
}

/* ---- waiting ---- */

/* Until one of the wanted signals is pending: its number, or 0 at the deadline. No other
 * thread runs before it waits: the caller may just have changed its mask. */
static int wait_for(uint64_t wanted, uint64_t deadline, uint64_t pc)
{
    int signal;
    while ((signal = take(wanted)) == 0) {
        state.waiting |= thread_bit(self());
        state.dirty = rt.unkept = true;
        enum pl_wake wake = pl_block(PL_EVENT_SLEEP, NULL, deadline, pc);
        state.waiting &= ~thread_bit(self());
        if (wake == PL_TIMED_OUT)
            return 0;
    }
    return signal;
}

static int suspend(uint64_t mask, uint64_t pc)
{
    pl_point(pc);
    uint64_t was = mask_of(self());
    set_mask(mask);
    deliver(wait_for(~mask, 0, pc), pc);
    deliver_pending(pc);
    set_mask(was);
    errno = EINTR;
    return -1;
}

PL_EXPORT int sigsuspend(const sigset_t *set)
{
    uint64_t pc = PL_CALLER;
    return rt.active ? suspend(from_set(set), pc) : -1;
}

PL_EXPORT int pause(void)
{
    uint64_t pc = PL_CALLER;
    return rt.active ? suspend(mask_of(self()), pc) : -1;
}

PL_EXPORT int sigwait(const sigset_t *restrict set, int *restrict signal)
{
    uint64_t pc = PL_CALLER;
    if (!rt.active)
        return EINVAL;
    pl_point(pc);
    *signal = wait_for(from_set(set), 0, pc);
    return 0;
}

static int wait_info(const sigset_t *set, siginfo_t *info, uint64_t deadline, uint64_t pc)
{
    if (rt.active)
        pl_point(pc);
    int signal = rt.active ? wait_for(from_set(set), deadline, pc) : 0;
    if (!signal) {
        errno = EAGAIN;
        return -1;
    }
    if (info) {
        memset(info, 0, sizeof *info);
        info->si_signo = signal;
        info->si_pid = PID;
    }
    return signal;
}

PL_EXPORT int sigwaitinfo(const sigset_t *restrict set, siginfo_t *restrict info)
{
    return wait_info(set, info, 0, PL_CALLER);
}

PL_EXPORT int sigtimedwait(const sigset_t *restrict set, siginfo_t *restrict info,
                           const struct timespec *restrict timeout)
{
    uint64_t pc = PL_CALLER, ns = 0;
    if (timeout)
        ns = rt.now + (uint64_t)timeout->tv_sec * 1000000000u + (uint64_t)timeout->tv_nsec + 1;
    return wait_info(set, info, ns, pc);
}

/* ---- sets of signals: 64 bits of what sigset_t has room for ---- */

static int change_set(sigset_t *set, uint64_t keep, uint64_t add, uint64_t pc)
{
    uint64_t bits;
    if (keep && pl_from_subject(pc))
        pl_read_range(set, sizeof bits, pc);
    memcpy(&bits, set, sizeof bits);
    bits = (bits & keep) | add;
    if (pl_from_subject(pc))
        pl_write_range(set, keep ? sizeof bits : sizeof *set, pc);
    if (!keep)
        memset(set, add ? 0xff : 0, sizeof *set);
    memcpy(set, &bits, sizeof bits);
    return 0;
}

static bool names_signal(int signal)
{
    if (signal > 0 && signal <= 64)
        return true;
    errno = EINVAL;
    return false;
}

PL_EXPORT int sigemptyset(sigset_t *set)
{
    return change_set(set, 0, 0, PL_CALLER);
}

/* Without the two that libc keeps for itself, as libc does it. */
PL_EXPORT int sigfillset(sigset_t *set)
{
    return change_set(set, 0, ~(uint64_t)0 & ~((uint64_t)3 << 31), PL_CALLER);
}

PL_EXPORT int sigaddset(sigset_t *set, int signal)
{
    uint64_t pc = PL_CALLER;
    return names_signal(signal) ? change_set(set, ~(uint64_t)0, (uint64_t)1 << (signal - 1), pc)
                                : -1;
}

PL_EXPORT int sigdelset(sigset_t *set, int signal)
{
    uint64_t pc = PL_CALLER;
    return names_signal(signal) ? change_set(set, ~((uint64_t)1 << (signal - 1)), 0, pc) : -1;
}

PL_EXPORT int sigismember(const sigset_t *set, int signal)
{
    uint64_t pc = PL_CALLER, bits;
    if (!names_signal(signal))
        return -1;
    if (pl_from_subject(pc))
        pl_read_range(set, sizeof bits, pc);
    memcpy(&bits, set, sizeof bits);
    return (int)(bits >> (signal - 1) & 1);
}
