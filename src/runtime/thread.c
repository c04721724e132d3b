/*
 * Threads: pthread_create, join, detach, exit, self, equal.
 *
 * A thread's handle (pthread_t) is its thread pointer, as in glibc: distinct for
 * every thread of an execution, the same in every execution.
 */
#include <errno.h>
#include <pthread.h>
#include <setjmp.h>
#include <string.h>
#include <unwind.h>

#include "runtime/clock.h"
#include "runtime/libc.h"
#include "runtime/model.h"
#include "runtime/shadow.h"
#include "runtime/symmetry.h"

static uint64_t bit(uint32_t thread)
{
    return (uint64_t)1 << thread;
}

void pl_thread_init(struct pl_thread *t, uint32_t id)
{
    t->id = id;
    t->state = PL_THREAD_LIVE;
    t->wake = PL_WOKEN;
    t->detached = t->joined = t->exiting = t->may_spurious = t->has_woken = 0;
    t->has_release_fence = t->has_acquire_pending = t->loose = 0;
    t->risky = 0;
    t->blocked_on = t->blocked_pc = t->deadline = t->joiners = 0;
    t->joins = 0;
    t->result = t->c_cleanup = t->cxx_exit = NULL;
    pl_clock_zero(t->clock);
    t->clock[id] = 1;
    t->epoch = id << PL_TICK_BITS | 1;
}

struct pl_thread *pl_thread_of(uint64_t handle)
{
    for (uint32_t i = 0; i < rt.nthreads; i++)
        if (rt.thread[i].tp == handle)
            return &rt.thread[i];
    return NULL;
}

static void begin_thread(void)
{
    struct pl_thread *t = rt.self;
    if (pl_unlikely(rt.exploring))
        pl_model_start((int)t->creator);
    pl_trace(PL_EVENT_START, NULL, 0, 0);
    t->result = t->start(t->argument);
    pl_thread_finish();
}

void pl_thread_finish(void)
{
    struct pl_thread *t = rt.self;
    t->exiting = 1;
    pl_keys_run_destructors();
    pl_trace(PL_EVENT_EXIT, NULL, 0, 0);
    if (pl_unlikely(rt.exploring)) {
        pl_point(0);
        pl_model_finish();
    }
    t->state = PL_THREAD_FINISHED;
    t->clock[t->id]++; /* what a joiner synchronises with is the clock as it is now */
    t->epoch++;
    rt.enabled &= ~bit(t->id);
    rt.last_change = rt.steps;
    pl_wake_all(t->joiners);
    t->joiners = 0;
    pl_switch_away();
}

/* The number of a thread that is over, for a new one, once all numbers are used. Only one
 * whose end happens before this creation: its accesses can be taken for the new thread's
 * own without hiding a race. 0 if there is none. */
static uint32_t used_number(void)
{
    for (uint32_t i = 1; i < PL_MAX_THREADS; i++) {
        const struct pl_thread *t = &rt.thread[i];
        if (t->state == PL_THREAD_FINISHED && (t->joined || t->detached) &&
            rt.self->clock[i] >= t->clock[i])
            return i;
    }
    return 0;
}

int pl_thread_create(uint64_t *handle, size_t stack_bytes, bool detached, void *(*start)(void *),
                     void *argument, uint64_t pc)
{
    if (!rt.active)
        pl_unsupported("a thread is created before main: not supported", pc);
    pl_point(pc);
    uint32_t id = rt.nthreads < PL_MAX_THREADS ? rt.nthreads : used_number();
    if (!id) /* EAGAIN would be a fault of ours, taken for one of the program */
        pl_unsupported("more than 64 threads at a time, main and those that nobody has joined or "
                       "detached included: not supported",
                       pc);
    if (pl_unlikely(id >= rt.width)) { /* once in a process: again, with wider clocks */
        rt.width *= 2;
        rt.restart = true;
        pl_leave();
    }
    struct pl_thread *t = &rt.thread[id];
    pl_tick tick = id < rt.nthreads ? t->clock[id] : 0; /* goes on where the old thread ended */
    pl_thread_init(t, id);
    size_t least = (size_t)rt.options->stack_kib << 10;
    pl_fiber_reset(t, stack_bytes > least ? stack_bytes : least, begin_thread);
    rt.nthreads += id == rt.nthreads;
    t->start = start;
    t->argument = argument;
    t->detached = detached;
    t->creator = rt.self->id;
    if (pl_unlikely(rt.exploring))
        pl_model_create(id, pc);
    if (pl_unlikely(rt.exploring))
        pl_symmetry_create(id, (uint64_t)start, (uint64_t)argument, !stack_bytes && !detached);
    pl_clock_copy(t->clock, rt.self->clock);
    t->clock[id] = tick + 1;
    t->epoch = id << PL_TICK_BITS | (uint32_t)t->clock[id];
    if (!rt.exploring) {
        rt.self->clock[rt.self->id]++;
        rt.self->epoch++;
    }
    pl_signal_inherit(id);
    *handle = t->tp;
    rt.last_change = rt.steps;
    rt.enabled |= bit(id);
    pl_trace(PL_EVENT_CREATE, NULL, id, pc);
    return 0;
}

int pl_thread_join(uint64_t handle, void **result, uint64_t deadline, bool try_only, uint64_t pc)
{
    struct pl_thread *t = pl_thread_of(handle), *self = rt.self;
    if (!t)
        return ESRCH;
    self->joins = try_only || deadline ? 0 : t->id + 1;
    pl_point(pc);
    self->joins = 0;
    if (t->detached || t->joined)
        return EINVAL;
    if (t == self)
        return EDEADLK;
    if (try_only || deadline)
        pl_symmetry_name();
    while (t->state != PL_THREAD_FINISHED) {
        if (try_only)
            return EBUSY;
        t->joiners |= bit(self->id);
        if (rt.exploring)
            pl_model_attempt_join(t->id);
        if (pl_block(PL_EVENT_JOIN, (const void *)t->tp, deadline, pc) == PL_TIMED_OUT) {
            t->joiners &= ~bit(self->id);
            return ETIMEDOUT;
        }
    }
    t->joined = 1;
    if (pl_unlikely(rt.exploring)) {
        pl_model_join(t->id, pc);
        pl_symmetry_join(t->id, !result && !deadline && !try_only);
    } else
        pl_acquire(t->clock);
    pl_trace(PL_EVENT_JOIN, NULL, t->id, pc);
    if (result)
        *result = t->result;
    return 0;
}

/* ---- leaving a thread from deep inside: destructors and cleanup handlers run ---- */

/* A C frame between pthread_cleanup_push and pop has registered a jump buffer in its own
 * frame; it is jumped to when the unwinding reaches that frame. The first private word
 * of the buffer links to the one registered before. */
static _Unwind_Reason_Code unwind_step(int version, _Unwind_Action actions,
                                       _Unwind_Exception_Class class_, struct _Unwind_Exception *e,
                                       struct _Unwind_Context *context, void *unused)
{
    (void)version, (void)class_, (void)e, (void)unused;
    struct pl_thread *t = rt.self;
    uint64_t frame = _Unwind_GetCFA(context);
    __pthread_unwind_buf_t *cleanup = t->c_cleanup;
    if (cleanup && ((actions & _UA_END_OF_STACK) || (uint64_t)cleanup < frame)) {
        t->c_cleanup = cleanup->__pad[0];
        void *buffer = cleanup->__cancel_jmp_buf;
        __asm__("" : "+r"(buffer)); /* it is the front of a jmp_buf: without the signal mask */
        longjmp(buffer, 1);
    }
    if (actions & _UA_END_OF_STACK)
        pl_thread_finish();
    return _URC_NO_REASON;
}

static void unwind_thread(void)
{
    static struct _Unwind_Exception exception[PL_MAX_THREADS];
    struct _Unwind_Exception *e = &exception[rt.self->id];
    memset(e, 0, sizeof *e);
    _Unwind_ForcedUnwind(e, unwind_step, NULL);
    pl_thread_finish(); /* the unwinder found no frame to go to */
}

_Noreturn void pl_thread_exit(void *result, uint64_t pc)
{
    pl_point(pc);
    rt.self->exiting = 1;
    rt.self->result = result;
    unwind_thread();
    __builtin_unreachable();
}

PL_EXPORT void __pthread_register_cancel(__pthread_unwind_buf_t *buffer);
PL_EXPORT void __pthread_unregister_cancel(__pthread_unwind_buf_t *buffer);
PL_EXPORT _Noreturn void __pthread_unwind_next(__pthread_unwind_buf_t *buffer);
void __pthread_register_cancel(__pthread_unwind_buf_t *buffer)
{
    buffer->__pad[0] = rt.active ? rt.self->c_cleanup : NULL;
    if (rt.active)
        rt.self->c_cleanup = buffer;
}
void __pthread_unregister_cancel(__pthread_unwind_buf_t *buffer)
{
    if (rt.active)
        rt.self->c_cleanup = buffer->__pad[0];
}
_Noreturn void __pthread_unwind_next(__pthread_unwind_buf_t *buffer)
{
    (void)buffer;
    unwind_thread();
    __builtin_unreachable();
}

/* ---- the public names ---- */

PL_EXPORT int pthread_create(pthread_t *handle, const pthread_attr_t *attr, void *(*start)(void *),
                             void *argument)
{
    uint64_t pc = PL_CALLER, made = 0;
    size_t stack = 0;
    int detached = PTHREAD_CREATE_JOINABLE;
    if (attr) {
        pthread_attr_getdetachstate(attr, &detached);
        pthread_attr_getstacksize(attr, &stack);
        if (stack > (8u << 20)) /* glibc's default of 8 MiB is not a request */
            stack = stack > (32u << 20) ? (32u << 20) : stack;
        else if (stack == (8u << 20))
            stack = 0;
    }
    int failed =
        pl_thread_create(&made, stack, detached == PTHREAD_CREATE_DETACHED, start, argument, pc);
    if (!failed)
        *handle = (pthread_t)made;
    return failed;
}

PL_EXPORT int pthread_join(pthread_t handle, void **result)
{
    return pl_thread_join((uint64_t)handle, result, 0, false, PL_CALLER);
}

PL_EXPORT int pthread_tryjoin_np(pthread_t handle, void **result)
{
    return pl_thread_join((uint64_t)handle, result, 0, true, PL_CALLER);
}

PL_EXPORT int pthread_timedjoin_np(pthread_t handle, void **result, const struct timespec *until)
{
    uint64_t pc = PL_CALLER;
    return pl_thread_join((uint64_t)handle, result, pl_deadline(0, until), false, pc);
}

PL_EXPORT int pthread_clockjoin_np(pthread_t handle, void **result, clockid_t clock,
                                   const struct timespec *until)
{
    uint64_t pc = PL_CALLER;
    return pl_thread_join((uint64_t)handle, result, pl_deadline(clock, until), false, pc);
}

PL_EXPORT int pthread_detach(pthread_t handle)
{
    uint64_t pc = PL_CALLER;
    struct pl_thread *t = pl_thread_of((uint64_t)handle);
    if (!t)
        return ESRCH;
    pl_point(pc);
    if (t->detached || t->joined)
        return EINVAL;
    t->detached = 1;
    pl_trace(PL_EVENT_DETACH, NULL, t->id, pc);
    return 0;
}

PL_EXPORT _Noreturn void pthread_exit(void *result)
{
    pl_thread_exit(result, PL_CALLER);
}

PL_EXPORT pthread_t pthread_self(void)
{
    pl_symmetry_name();
    return rt.active ? (pthread_t)rt.self->tp : (pthread_t)(rt.main_tp ? rt.main_tp : pl_arch_tp());
}

PL_EXPORT int pthread_equal(pthread_t a, pthread_t b)
{
    pl_symmetry_name();
    return a == b;
}
