/*
 * plumb.h: what a program may tell Plumbline about itself.
 *
 * Everything here is optional: `plumb run` takes a program as it is. Without
 * Plumbline (PLUMB is not defined: `plumb` defines it when it compiles) every
 * function here is empty and costs nothing, so the calls can stay in production code.
 * In its order: for any program; linearization points; subjects of `plumb check`.
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

/* Behind the macros PLUMB_POINT and the like, below. */
void plumb_point(const void *object);
void plumb_point_for(int operation);
int plumb_operation(void);
void plumb_points_of(const void *object);

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
 * Where an operation takes effect, for `plumb check --criterion points` (docs/points.md). A mark
 * belongs to the last atomic access, or lock, that its thread made before it; of the marks of an
 * operation that are passed the last one counts.
 *
 *   PLUMB_POINT();                       the operation under way took effect just now
 *   PLUMB_POINT_IF(condition);           if so: after a compare-exchange that may fail
 *   PLUMB_POINT_OF(object, condition);   the same, of this object: see PLUMB_POINTS_OF
 *   PLUMB_POINT_FOR(operation, condition);  helping: not the operation under way but the one that
 *                                        had this number from PLUMB_OPERATION()
 *   PLUMB_OPERATION()                    an int that names the operation under way, to be published
 *                                        with what others may help; 0 in production
 *   PLUMB_POINTS_OF(object);             in the setup: of points with an object only those of this
 *                                        one count, not those of objects it is made of
 *
 * In production nothing is left of them; conditions are not even evaluated.
 */
#ifdef PLUMB
#define PLUMB_POINT()                         plumb_point(NULL)
#define PLUMB_POINT_IF(condition)             ((condition) ? plumb_point(NULL) : (void)0)
#define PLUMB_POINT_OF(object, condition)     ((condition) ? plumb_point(object) : (void)0)
#define PLUMB_POINT_FOR(operation, condition) ((condition) ? plumb_point_for(operation) : (void)0)
#define PLUMB_OPERATION()                     plumb_operation()
#define PLUMB_POINTS_OF(object)               plumb_points_of(object)
#else
#define PLUMB_UNEVALUATED(x)                  ((void)sizeof(x))
#define PLUMB_POINT()                         ((void)0)
#define PLUMB_POINT_IF(condition)             PLUMB_UNEVALUATED((condition) ? 1 : 0)
#define PLUMB_POINT_OF(object, condition)     (PLUMB_UNEVALUATED(object), PLUMB_POINT_IF(condition))
#define PLUMB_POINT_FOR(operation, condition) PLUMB_POINT_OF(operation, condition)
#define PLUMB_OPERATION()                     0
#define PLUMB_POINTS_OF(object)               PLUMB_UNEVALUATED(object)
#endif

/* clang-format off: the tables in the comment stay as they are */
/*
 * A subject of `plumb check`: a source file with the object, included or written there, and what
 * the tests are made of. docs/check.md has examples. Either a table of operations:
 *
 *   PLUMB_SUBJECT("ms-queue", .setup = setup, .spec = "fifo");
 *   PLUMB_OP(enq, .ints = {1, 2, 3});           enq(1), enq(2), enq(3)
 *   PLUMB_OP(deq);
 *
 * where enq is a function, `plumb_result enq(plumb_args a)` (plumb/result.h has the results). All
 * fields are optional, and C++ wants them in this order.
 *
 *   PLUMB_SUBJECT(name,
 *     .setup, .teardown                void (*)(void): on main, before and after each execution
 *     .thread_setup, .thread_teardown  the same on each thread, before and after its calls
 *     .invariant                       int (*)(void): after each execution, alone; 0: broken
 *     .spec = "fifo"                   a built-in spec; else what the object does alone
 *
 *   PLUMB_OP(function,
 *     .name = "put"                    what tests and specs call it; else the function's name
 *     .ints, .ints2, .ints3            values of the first, second and third argument, a.i[0], …:
 *                                      up to 16 each, called with every combination
 *     .group = "owner"                 operations of a group are called by one thread only
 *     .limit = 1                       at most so many calls in a test
 *     .blocking = 1                    it may wait: the spec waits where it would answer empty or
 *                                      false
 *     .may_fail = 1                    it may answer empty or false at any time, and then has done
 *                                      nothing
 *     .late = 1                        it may take effect after it has returned
 *     .data_independent = 1            which values it is given does not change what happens
 *
 * Or calls, with whatever they answer recorded by itself:
 *
 *   PLUMB_CALL(enq(&q, 1))                      its result is recorded, whatever its type
 *   PLUMB_CALL_OUT(int v, deq(&q, &v), v)       and v, if the result is not 0, false or NULL
 *   PLUMB_SETUP(statements) PLUMB_TEARDOWN(…)   of main, before and after each execution
 *   PLUMB_THREAD_SETUP(…) PLUMB_THREAD_TEARDOWN(…)
 *   PLUMB_INVARIANT(expression)                 must hold after each execution
 *   PLUMB_SPEC(fifo)                            a built-in spec
 *   PLUMB_GROUP(push, pop) PLUMB_LIMIT(close, 1) PLUMB_BLOCKING(take) PLUMB_MAY_FAIL(try_take)
 *   PLUMB_LATE(cancel) PLUMB_DATA_INDEPENDENT(enq)      marks of operations, by name
 *   PLUMB_FACTOR(deq=2, enq=0)                  it is quasi linearizable only (docs/quasi.md)
 *
 * A spec of one's own: plumb/spec.h.
 */
/* clang-format on */
#include <plumb/result.h>
#ifdef PLUMB
#include <plumb/check.h>
#else
#define PLUMB_SUBJECT(...) struct plumb_args
#define PLUMB_OP(...)      struct plumb_args
#define PLUMB_CALL(...)
#define PLUMB_CALL_OUT(declaration, call, out)
#define PLUMB_SETUP(...)
#define PLUMB_TEARDOWN(...)
#define PLUMB_THREAD_SETUP(...)
#define PLUMB_THREAD_TEARDOWN(...)
#define PLUMB_INVARIANT(...)
#define PLUMB_SPEC(...)
#define PLUMB_GROUP(...)
#define PLUMB_LIMIT(name, most)
#define PLUMB_BLOCKING(...)
#define PLUMB_MAY_FAIL(...)
#define PLUMB_LATE(...)
#define PLUMB_DATA_INDEPENDENT(...)
#define PLUMB_FACTOR(...)
#endif

#endif
