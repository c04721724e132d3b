/*
 * pthread_once: the control word is 0, then 1 while a thread runs the routine, then
 * 2, as glibc has it; it is the truth, so a routine run before main stays done.
 *
 *   record: owner    1 + thread that runs the routine
 *           release  what the routine did, also if it failed: the next to run it and
 *                    every later caller acquire it
 *
 * A routine left by a C++ exception or by pthread_exit has not run: the cleanup
 * handler of run() (compiled with -fexceptions) puts the word back and the others
 * compete for it again.
 */
#include "runtime/model.h"
#include "runtime/objects.h"

enum { NOT_YET, UNDER_WAY, DONE };

struct run {
    int *control;
    uint64_t pc;
    bool returned;
};

/* Under the explorer the word is a location that begins as memory says. */
static void explored_put(int *control, int value, uint64_t pc)
{
    struct pl_model_step step = {.object = control,
                                 .operand = (uint64_t)value,
                                 .initial = (uint64_t)*control,
                                 .order = PL_ORDER_RELEASE};
    pl_model_object_write(&step, pc);
}

/* Is it this thread's to run? If another does, waits for that. */
static bool explored_begin(int *control, uint64_t pc)
{
    struct pl_model_step step = {.object = control,
                                 .op = PL_OP_CAS,
                                 .expected = NOT_YET,
                                 .operand = UNDER_WAY,
                                 .initial = (uint64_t)*control,
                                 .order = PL_ORDER_ACQUIRE,
                                 .order_fail = PL_ORDER_ACQUIRE,
                                 .in = PL_EVENT_ONCE};
    for (;;) {
        bool ok;
        uint64_t found = pl_model_object_update(&step, &ok, pc);
        if (ok || found == DONE)
            return ok;
        struct pl_model_step wait = step;
        wait.expected = UNDER_WAY;
        wait.await = PL_AWAIT_OTHER;
        (void)pl_model_object_read(&wait, pc);
    }
}

static void finish(struct run *run)
{
    int now = run->returned ? DONE : NOT_YET;
    if (!rt.active) {
        *run->control = now;
        return;
    }
    pl_point(run->pc);
    if (rt.exploring)
        explored_put(run->control, now, run->pc);
    struct pl_sync *s = pl_sync_object(PL_SYNC_ONCE, run->control, run->pc, NULL);
    *run->control = now;
    s->owner = 0;
    pl_changed();
    if (run->returned)
        pl_trace(PL_EVENT_ONCE_DONE, run->control, 0, run->pc);
    if (!rt.exploring)
        pl_release_to(s->release);
    pl_release_waiters(&s->waiters);
}

static void run_routine(int *control, void (*routine)(void), uint64_t pc)
{
    __attribute__((cleanup(finish))) struct run run = {control, pc, false};
    *control = UNDER_WAY;
    routine();
    run.returned = true;
}

int pl_once(int *control, void (*routine)(void), uint64_t pc)
{
    if (!rt.active) {
        if (*control != DONE)
            run_routine(control, routine, pc);
        return 0;
    }
    pl_point(pc);
    if (rt.exploring) {
        struct pl_sync *s = pl_sync_object(PL_SYNC_ONCE, control, pc, NULL);
        if (!explored_begin(control, pc))
            return 0;
        s->owner = pl_self_owner();
    }
    while (!rt.exploring) {
        struct pl_sync *s = pl_sync_object(PL_SYNC_ONCE, control, pc, NULL);
        bool busy = *control == UNDER_WAY && s->owner;
        if (!busy)
            pl_acquire(s->release);
        if (*control == DONE)
            return 0;
        if (!busy) {
            s->owner = pl_self_owner();
            break;
        }
        s->waiters |= pl_self_bit();
        pl_block(PL_EVENT_ONCE, control, 0, pc);
    }
    pl_changed();
    pl_trace(PL_EVENT_ONCE, control, 0, pc);
    run_routine(control, routine, pc);
    return 0;
}

PL_EXPORT int pthread_once(pthread_once_t *control, void (*routine)(void))
{
    uint64_t pc = PL_CALLER;
    return pl_once(control, routine, pc);
}
