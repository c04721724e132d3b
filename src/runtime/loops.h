/* Void rounds: what the rest of the runtime tells of writes and effects while exploring. */
#ifndef PL_RUNTIME_LOOPS_H
#define PL_RUNTIME_LOOPS_H

#include "runtime/rt.h"

void pl_loops_reset(void); /* at the start of an execution */
/* The running thread is about to write plain memory. */
void pl_loops_write(uint64_t address, uint64_t size);
/* Has the front end said of the atomic store that comes now that it does not count? */
bool pl_loops_take_dead(uint64_t address);
/* Something that no comparison sees: allocation, the clock, random numbers. */
void pl_loops_effect(void);

#endif
