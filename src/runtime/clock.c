/*
 * Vector clocks: what happens before what.
 *
 * Invariants:
 * I1  thread[t].clock[t] is t's own tick; it grows by one after every release, so
 *     an access recorded with the tick of its time is ordered before another thread
 *     exactly when that thread's clock has reached the tick.
 * I2  Only the first rt.width ticks of a clock are in use.
 */
#include "runtime/clock.h"

#include "runtime/shadow.h"

enum { POOL_CLOCKS = 1 << 20 };
static pl_tick *pool;
static size_t pool_used; /* in ticks */

void pl_clock_copy(pl_tick *to, const pl_tick *from)
{
    pl_clock_copy_inline(to, from);
}

void pl_clock_join(pl_tick *to, const pl_tick *from)
{
    pl_clock_join_inline(to, from);
}

PL_COLD void pl_clock_overflow(void)
{
    pl_unsupported("one thread made more than 67 million releases in one execution", rt.pc);
}

void pl_acquire(const pl_tick *from)
{
    pl_clock_join_inline(rt.self->clock, from);
}

void pl_release_to(pl_tick *to)
{
    pl_release_to_inline(to);
}

void pl_release_join(pl_tick *to)
{
    pl_release_join_inline(to);
}

pl_tick *pl_clock_new(void)
{
    if (!pool)
        pool = pl_map((size_t)POOL_CLOCKS * 64 * sizeof *pool);
    if (pool_used + rt.width > (size_t)POOL_CLOCKS * 64)
        pl_unsupported("too many release stores to one location by different threads", rt.pc);
    pl_tick *clock = pool + pool_used;
    rt.unkept = true;
    pool_used += rt.width;
    pl_clock_zero(clock);
    return clock;
}

void pl_clock_reset(void)
{
    pool_used = 0;
}
