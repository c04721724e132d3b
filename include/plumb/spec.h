/* clang-format off: the lists in the comment stay as they are */
/*
 * plumb/spec.h: a spec written in C, in a subject file or in one of its own (--spec FILE.c).
 *
 *     #include <plumb/spec.h>
 *
 *     struct plumb_state { int count, item[8]; };
 *
 *     PLUMB_STEP(enq) { s->item[s->count++] = (int)a.i[0]; return plumb_ok(); }
 *     PLUMB_STEP(deq)
 *     {
 *         if (!s->count)
 *             return plumb_empty();
 *         int first = s->item[0];
 *         s->count--;
 *         memmove(s->item, s->item + 1, sizeof s->item - sizeof *s->item);
 *         s->item[s->count] = 0;
 *         return plumb_int(first);
 *     }
 *
 * A step gets the state `s` and the arguments `a` of the operation of its name, changes the state
 * and returns the answer.
 *
 *   - The state starts as zeros; PLUMB_START { s->count = 3; } starts it otherwise. It is copied
 * and compared as bytes, at most 1024 of them: no pointers, and what does not count any more is set
 *     to the same (above, the place that became free).
 *   - Several answers: plumb_choose(n) is 0, …, n - 1, and the step is run for each of them.
 *   - The operation waits: return plumb_blocks(). It is as if the step had not been made.
 *   - A step depends on its state and arguments only; it is run twice to see that.
 *   - The answers are those of the operation's own function (plumb/result.h), or of its call: what
 * a call with an out-parameter answers is plumb_int(v), or plumb_empty() if its flag was 0.
 */
/* clang-format on */
#ifndef PLUMB_SPEC_H
#define PLUMB_SPEC_H

#include <plumb.h>
#include <string.h>

static inline plumb_result plumb_blocks(void)
{
    return plumb_one_(PLUMB_BLOCKS, NULL, 0);
}

struct plumb_state;

#define PLUMB_STEP_HEAD_(name_)                                                                    \
    static plumb_result plumb_step_##name_(struct plumb_state *s __attribute__((unused)),          \
                                           plumb_args a __attribute__((unused)))

#ifdef PLUMB
#define PLUMB_STEP(name_)                                                                          \
    PLUMB_STEP_HEAD_(name_);                                                                       \
    static plumb_result plumb_stepper_##name_(void *state, plumb_args arguments)                   \
    {                                                                                              \
        return plumb_step_##name_((struct plumb_state *)state, arguments);                         \
    }                                                                                              \
    static const struct plumb_step plumb_step_of_##name_ = {#name_, plumb_stepper_##name_,         \
                                                            sizeof(struct plumb_state)};           \
    static const struct plumb_step *const plumb_step_at_##name_                                    \
        __attribute__((used, section("plumb_steps"))) = &plumb_step_of_##name_;                    \
    PLUMB_STEP_HEAD_(name_)
#define PLUMB_START                                                                                \
    static void plumb_start_of(struct plumb_state *s);                                             \
    PLUMB_SHARED_ void plumb_spec_start(void *state);                                              \
    PLUMB_SHARED_ void plumb_spec_start(void *state)                                               \
    {                                                                                              \
        plumb_start_of((struct plumb_state *)state);                                               \
    }                                                                                              \
    static void plumb_start_of(struct plumb_state *s)
#else
#define PLUMB_STEP(name_) PLUMB_STEP_HEAD_(name_)
#define PLUMB_START       static void plumb_start_of(struct plumb_state *s)
#endif

#endif
