/*
 * Vector clocks, inline: what happens before what. Only the first rt.width ticks of a
 * clock are in use, a multiple of 4; clocks are 16-byte aligned.
 */
#ifndef PL_RUNTIME_CLOCK_H
#define PL_RUNTIME_CLOCK_H

#include "runtime/rt.h"

/* Four ticks at once, in the compiler's own vectors: any processor has a way. */
typedef pl_tick pl_ticks __attribute__((vector_size(16), may_alias));

static inline void pl_clock_join_inline(pl_tick *to, const pl_tick *from)
{
    for (uint32_t i = 0; i < rt.width; i += 4) {
        pl_ticks a = *(const pl_ticks *)(to + i), b = *(const pl_ticks *)(from + i);
        pl_ticks greater = a > b;
        *(pl_ticks *)(to + i) = (a & greater) | (b & ~greater);
    }
}

static inline void pl_clock_copy_inline(pl_tick *to, const pl_tick *from)
{
    for (uint32_t i = 0; i < rt.width; i += 4)
        *(pl_ticks *)(to + i) = *(const pl_ticks *)(from + i);
}

static inline void pl_clock_zero(pl_tick *clock)
{
    for (uint32_t i = 0; i < rt.width; i += 4)
        *(pl_ticks *)(clock + i) = (pl_ticks){0};
}

void pl_clock_overflow(void);

static inline void pl_end_epoch(struct pl_thread *t)
{
    t->clock[t->id]++;
    t->epoch++;
    if (pl_unlikely((t->epoch & PL_TICK_MASK) == PL_TICK_MASK))
        pl_clock_overflow();
}

static inline void pl_release_to_inline(pl_tick *to)
{
    pl_clock_copy_inline(to, rt.self->clock);
    pl_end_epoch(rt.self);
}

static inline void pl_release_join_inline(pl_tick *to)
{
    pl_clock_join_inline(to, rt.self->clock);
    pl_end_epoch(rt.self);
}

#endif
