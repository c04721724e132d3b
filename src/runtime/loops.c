/*
 * What the own front end (src/instrument) says of loops, of memory that only counts there, and
 * of calls into code that may be out of sight. Nothing is done with it yet.
 *
 * A loop is known by the address of its values, which is in the frame that runs it. An entry may
 * be told that does not happen, and an exit from a loop that was not entered.
 */
#include "runtime/rt.h"

struct plumb_loop {
    uint32_t words; /* of values */
    uint32_t flags; /* src/instrument/function.h */
};

PL_EXPORT void __plumb_loop_enter(const struct plumb_loop *loop, const uint64_t *values);
PL_EXPORT void __plumb_loop_head(const struct plumb_loop *loop, const uint64_t *values);
PL_EXPORT void __plumb_loop_leave(const struct plumb_loop *loop, const uint64_t *values);
PL_EXPORT void __plumb_local_write(const void *address, uint64_t size);
PL_EXPORT void __plumb_dead_write(const void *address, uint64_t size);
PL_EXPORT void __plumb_call(const void *function);

void __plumb_loop_enter(const struct plumb_loop *loop, const uint64_t *values)
{
    (void)loop, (void)values;
}

void __plumb_loop_head(const struct plumb_loop *loop, const uint64_t *values)
{
    (void)loop, (void)values;
}

void __plumb_loop_leave(const struct plumb_loop *loop, const uint64_t *values)
{
    (void)loop, (void)values;
}

void __plumb_local_write(const void *address, uint64_t size)
{
    (void)address, (void)size;
}

void __plumb_dead_write(const void *address, uint64_t size)
{
    (void)address, (void)size;
}

void __plumb_call(const void *function)
{
    (void)function;
}
