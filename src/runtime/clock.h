/*
 * Vector clocks, inline: what happens before what. Only the first rt.width ticks of a
 * clock are in use, a multiple of 8; clocks are 16-byte aligned.
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

#endif
