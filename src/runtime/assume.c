/*
 * What a program says about the executions it wants (plumb.h), also under the names that
 * SV-COMP uses.
 *
 * A false assumption ends the execution without a word. While exploring only the thread
 * stops: the others go on, because a later write of theirs may be what it should have read.
 */
#include "runtime/point.h"

PL_EXPORT void plumb_assume(int holds);
PL_EXPORT int plumb_choose(int n);
PL_EXPORT void __VERIFIER_assume(int holds);
PL_EXPORT _Bool __VERIFIER_nondet_bool(void);
PL_EXPORT void __VERIFIER_error(void);

_Noreturn void pl_stop(void)
{
    struct pl_thread *t = rt.self;
    rt.stopped = true;
    t->state = PL_THREAD_BLOCKED;
    rt.enabled &= ~((uint64_t)1 << t->id);
    if (!rt.exploring || !(rt.enabled | rt.timed))
        pl_leave();
    pl_hand_over(rt.enabled | rt.timed);
    __builtin_unreachable(); /* nobody wakes it */
}

static void assume(int holds)
{
    if (!holds && rt.active)
        pl_stop();
}

static unsigned choose(unsigned n, uint64_t pc)
{
    if (!rt.active)
        return 0;
    pl_point(pc);
    return pl_choose(n);
}

void plumb_assume(int holds)
{
    assume(holds);
}

void __VERIFIER_assume(int holds)
{
    assume(holds);
}

int plumb_choose(int n)
{
    uint64_t pc = PL_CALLER;
    if (n < 1 || n > 256)
        pl_unsupported("plumb_choose(n): n is between 1 and 256", pc);
    return (int)choose((unsigned)n, pc);
}

_Bool __VERIFIER_nondet_bool(void)
{
    return choose(2, PL_CALLER) == 1;
}

void __VERIFIER_error(void)
{
    pl_find_simple(PL_FINDING_ASSERTION, PL_CALLER, 0, "__VERIFIER_error() is called");
}
