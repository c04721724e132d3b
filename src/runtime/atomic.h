/*
 * Atomic accesses, as the compiler's hooks and others of the runtime make them.
 * The value is read or written by the caller between pl_atomic_begin and the next
 * scheduling point: nothing can come between.
 */
#ifndef PL_RUNTIME_ATOMIC_H
#define PL_RUNTIME_ATOMIC_H

#include "runtime/rt.h"

/* Scheduling point, validity of the memory, the record of the location. */
struct pl_sync *pl_atomic_begin(uint64_t address, unsigned size, uint64_t pc);
/* The effects on happens-before; race checks against plain accesses. */
void pl_atomic_read(struct pl_sync *s, unsigned size, unsigned order, uint64_t pc);
void pl_atomic_write(struct pl_sync *s, unsigned size, unsigned order, uint64_t pc);
void pl_atomic_update(struct pl_sync *s, unsigned size, unsigned order, uint64_t pc);
/* Only the race checks: what happens before what is the explorer's. */
void pl_atomic_touch(struct pl_sync *s, bool read, bool write, uint64_t pc);
void pl_atomic_fence(unsigned order, uint64_t pc);
void pl_expected_access(const void *expected, unsigned size, bool write, uint64_t pc);
void pl_atomic_reset(void); /* at the start of an execution */
/* A volatile access: relaxed, done by the subject's own instruction afterwards. */
void pl_atomic_volatile(uint64_t address, unsigned size, bool write, uint64_t pc);

#endif
