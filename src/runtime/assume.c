/*
 * What a program says about the executions it wants (plumb.h), also under the names that
 * SV-COMP uses.
 *
 * A false assumption ends the execution without a word. While exploring only the thread
 * stops: the others go on, because a later write of theirs may be what it should have read.
 */
#include "runtime/harness.h"
#include "runtime/model.h"
#include "runtime/objects.h"
#include "runtime/point.h"

PL_EXPORT void plumb_assume(int holds);
PL_EXPORT int plumb_choose(int n);
PL_EXPORT void __VERIFIER_assume(int holds);
PL_EXPORT _Bool __VERIFIER_nondet_bool(void);
PL_EXPORT void __VERIFIER_error(void);
PL_EXPORT void reach_error(void);
PL_EXPORT float __VERIFIER_nondet_float(void);
PL_EXPORT double __VERIFIER_nondet_double(void);
PL_EXPORT void __VERIFIER_atomic_begin(void);
PL_EXPORT void __VERIFIER_atomic_end(void);

_Noreturn void pl_stop(void)
{
    struct pl_thread *t = rt.self;
    rt.stopped = true;
    t->state = PL_THREAD_BLOCKED;
    rt.enabled &= ~((uint64_t)1 << t->id);
    uint64_t others = rt.enabled | rt.timed;
    if (rt.exploring && !others)
        others = pl_model_stir();
    if (!rt.exploring || !others)
        pl_leave();
    pl_hand_over(others);
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
        return pl_written_choose(n);
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

/* Any value of a type: all 256 of a byte are tried, and of wider types the smallest few, which is
 * a bound that the verdict names. */
static unsigned any_value(unsigned possible, uint64_t pc)
{
    unsigned most = rt.options->nondet ? rt.options->nondet : PL_NONDET;
    if (possible <= 256)
        return choose(possible, pc);
    rt.wire->bounded = most;
    return choose(most, pc);
}

#define NONDET(name, type)                                                                         \
    PL_EXPORT type __VERIFIER_nondet_##name(void);                                                 \
    type __VERIFIER_nondet_##name(void)                                                            \
    {                                                                                              \
        return (type)(uintptr_t)any_value(sizeof(type) == 1 ? 256 : 65536, PL_CALLER);             \
    }
NONDET(char, char)
NONDET(uchar, unsigned char)
NONDET(short, short)
NONDET(ushort, unsigned short)
NONDET(int, int)
NONDET(uint, unsigned)
NONDET(unsigned, unsigned)
NONDET(unsigned_int, unsigned)
NONDET(long, long)
NONDET(ulong, unsigned long)
NONDET(longlong, long long)
NONDET(ulonglong, unsigned long long)
NONDET(size_t, unsigned long)
NONDET(loff_t, long)
NONDET(u8, uint8_t)
NONDET(u16, uint16_t)
NONDET(u32, uint32_t)
NONDET(u64, uint64_t)
NONDET(unsigned_char, unsigned char)
NONDET(sector_t, unsigned long)
NONDET(pthread_t, unsigned long)
NONDET(pchar, char *)
NONDET(pointer, void *)
__extension__ typedef __int128 int128;
__extension__ typedef unsigned __int128 uint128;
NONDET(int128, int128)
NONDET(uint128, uint128)

/* These are no addresses. */
float __VERIFIER_nondet_float(void)
{
    return (float)any_value(65536, PL_CALLER);
}

double __VERIFIER_nondet_double(void)
{
    return (double)any_value(65536, PL_CALLER);
}

void __VERIFIER_error(void)
{
    pl_find_simple(PL_FINDING_ASSERTION, PL_CALLER, 0, "__VERIFIER_error() is called");
}

void reach_error(void)
{
    pl_find_simple(PL_FINDING_ASSERTION, PL_CALLER, 0, "reach_error() is called");
}

/* A section that is atomic with respect to all others of its kind: one lock. */
static pthread_mutex_t section PL_STATE = PTHREAD_MUTEX_INITIALIZER;

void __VERIFIER_atomic_begin(void)
{
    uint64_t pc = PL_CALLER;
    if (!rt.active)
        return;
    pl_point(pc);
    (void)pl_mutex_lock(&section, PL_FOR_EVER, pc);
}

void __VERIFIER_atomic_end(void)
{
    uint64_t pc = PL_CALLER;
    if (!rt.active)
        return;
    pl_point(pc);
    (void)pl_mutex_unlock(&section, pc);
}
