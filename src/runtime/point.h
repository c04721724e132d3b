/*
 * To hand over to another thread, inline: after a switch every return on the way out is
 * mispredicted, so the way is kept short.
 */
#ifndef PL_RUNTIME_POINT_H
#define PL_RUNTIME_POINT_H

#include "runtime/rt.h"

void pl_check_limit(uint64_t pc);           /* sched.c: every 1024 steps */
void pl_time_out(struct pl_thread *thread); /* sched.c: a blocked thread was picked */

PL_INLINE unsigned pl_pick(uint64_t candidates)
{
    if (!(candidates & (candidates - 1)))
        return (unsigned)__builtin_ctzll(candidates);
    unsigned next = pl_likely(rt.random != NULL)
                        ? pl_random_pick(rt.random, candidates)
                        : rt.strategy->pick(rt.strategy, candidates, rt.self->id);
    if (pl_unlikely(rt.tracing))
        pl_trace_choice(next);
    return next;
}

PL_INLINE void pl_hand_over(uint64_t candidates)
{
    unsigned next = pl_pick(candidates);
    struct pl_thread *from = rt.self, *to = &rt.thread[next];
    if (pl_unlikely(rt.timed >> next & 1))
        pl_time_out(to);
    if (to == from)
        return;
    rt.self = to;
    pl_arch_switch(from, to);
}

#endif
