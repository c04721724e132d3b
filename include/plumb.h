/*
 * plumb.h: what a program may tell Plumbline about itself.
 *
 * Everything here is optional: `plumb run` takes a program as it is. Without
 * Plumbline (PLUMB is not defined: `plumb` defines it when it compiles) every
 * function here is empty and costs nothing, so the calls can stay in production code.
 */
#ifndef PLUMB_H
#define PLUMB_H

#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

#ifdef PLUMB

/*
 * For code with an allocator of its own (a pool, a free list, an arena). After
 * plumb_pool_alloc the `size` bytes at `block` count as freshly allocated: reading
 * them before writing is an uninitialised read. After plumb_pool_free, touching
 * them is a use after free, freeing them again a double free; an alloc of bytes that
 * are not freed is a failed assertion. `block` is 8-byte aligned.
 */
void plumb_pool_alloc(void *block, size_t size);
void plumb_pool_free(void *block);

/*
 * Only executions in which this holds are of interest: one in which it does not ends here,
 * and counts neither as complete nor as stuck.
 */
void plumb_assume(int holds);
/* Any number from 0 to n - 1 (n at most 256): `plumb explore` takes every one. */
int plumb_choose(int n);

#else

static inline void plumb_assume(int holds)
{
    (void)holds;
}
static inline int plumb_choose(int n)
{
    (void)n;
    return 0;
}
static inline void plumb_pool_alloc(void *block, size_t size)
{
    (void)block;
    (void)size;
}
static inline void plumb_pool_free(void *block)
{
    (void)block;
}

#endif

#ifdef __cplusplus
}
#endif

/*
 * A subject of `plumb check`: a source file with the object, included or written there, and a
 * line for each call the tests are made of. docs/check.md has an example.
 *
 *   PLUMB_CALL(enq(&q, 1))                      its result is recorded, whatever its type
 *   PLUMB_CALL_OUT(int v, deq(&q, &v), v)       and v, if the result is not 0, false or NULL
 *   PLUMB_SETUP(statements) PLUMB_TEARDOWN(…)   of main, around each execution
 *   PLUMB_THREAD_SETUP(…) PLUMB_THREAD_TEARDOWN(…)
 *   PLUMB_INVARIANT(expression)                 must hold after each execution
 *   PLUMB_SPEC(fifo)                            a built-in spec
 */
#ifdef PLUMB
#include <plumb/check.h>
#else
#define PLUMB_CALL(...)
#define PLUMB_CALL_OUT(declaration, call, out)
#define PLUMB_SETUP(...)
#define PLUMB_TEARDOWN(...)
#define PLUMB_THREAD_SETUP(...)
#define PLUMB_THREAD_TEARDOWN(...)
#define PLUMB_INVARIANT(...)
#define PLUMB_SPEC(name)
#endif

#endif
