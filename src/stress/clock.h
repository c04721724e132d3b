/*
 * The clock of recorded operations: one that all processors share, read so that an operation lies
 * between its two stamps.
 *
 * Before the call: nothing of the operation may come before the reading (a later load could be
 * executed early), so a fence follows it. That the reading itself may be early only makes the
 * interval longer, which never makes a good history bad.
 *
 * After the return: every load of the operation must be done (rdtscp waits for that) and every
 * store of it must be seen by all (a store may wait in its processor's buffer long after it was
 * executed): a locked instruction empties the buffer. Without it a value put by an operation that
 * has "returned" is not there yet for one that is called later: a false violation.
 */
#ifndef PL_STRESS_CLOCK_H
#define PL_STRESS_CLOCK_H

#include <stdint.h>

#if defined(__x86_64__)
static inline uint64_t pl_clock_before(void)
{
    uint32_t low, high;
    __asm__ volatile("rdtsc\n\tlfence" : "=a"(low), "=d"(high) : : "memory");
    return (uint64_t)high << 32 | low;
}

static inline uint64_t pl_clock_after(void)
{
    uint32_t low, high, processor;
    __asm__ volatile("lock; orl $0, -8(%%rsp)\n\trdtscp"
                     : "=a"(low), "=d"(high), "=c"(processor)
                     :
                     : "memory", "cc");
    return (uint64_t)high << 32 | low;
}
#else
#error "the clock of plumb stress is written for x86-64: one file to add for another processor"
#endif

#endif
