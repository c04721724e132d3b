/*
 * Sequential specifications: what each operation may answer, one at a time.
 *
 * A spec is its words (names, arguments, kind of answer) and one function:
 *
 *     step(spec, from, operation, which, to, result)
 *
 * puts the which-th answer (0, 1, …) to the operation in the state `from` into *result and
 * the state after it into *to, and returns true; false when there is no such answer. Only
 * answers that agree with operation->result are given, all of them if that is PL_ANY. So
 *   - an invocation's legal responses: result PL_ANY, which = 0, 1, … until false;
 *   - it blocks in a state: there is none;
 *   - a spec is deterministic where which = 1 never succeeds.
 * A step has no table to put a list into: where the answer is the list of all words of the
 * state, the result is PL_ANY if PL_ANY was asked for.
 *
 * A state is a sequence of words, and two states are the same exactly if these are: a set
 * keeps its members sorted, an absent thing leaves no trace. `from` and `to` never are the
 * same object.
 *
 * `pure` says that an operation with its result changes no state it is legal in, so that it
 * may be placed as early as it is legal; false is always right.
 *
 * Ownership: states are the caller's: pl_state_release.
 */
#ifndef PL_SPEC_SPEC_H
#define PL_SPEC_SPEC_H

#include "history/history.h"
#include "history/words.h"
#include "spec/codes.h"

struct pl_state {
    pl_value *at;
    uint32_t count, room;
};

/* What a take of a container answers: the first value of the state (OLDEST), or the last. */
enum pl_head { PL_HEAD_NONE, PL_HEAD_OLDEST, PL_HEAD_NEWEST, PL_HEAD_BEST };

struct pl_spec {
    const char *name; /* of --spec */
    const char *help;
    struct pl_vocabulary words;
    bool has_initial; /* starts with a value: --initial */
    enum pl_head head;
    void (*start)(pl_value initial, const struct pl_history *history, struct pl_state *out);
    bool (*step)(const struct pl_values *values, const struct pl_state *from,
                 const struct pl_operation *operation, unsigned which, struct pl_state *to,
                 pl_value *result);
    bool (*pure)(const struct pl_operation *operation);

    /* Do the arguments of a call make sense? Of a recorded one that does not, `demand` is said.
       NULL: any values do. */
    bool (*fits)(const struct pl_operation *call);
    const char *demand;

    /* The objects of operations that do not concern each other: equal parts concern the
       same one. NULL: one object. PL_ANY: this operation concerns them all. */
    pl_value (*part)(const struct pl_operation *operation);
};

extern const struct pl_spec pl_spec_fifo, pl_spec_lifo, pl_spec_deque, pl_spec_set, pl_spec_map,
    pl_spec_register, pl_spec_cas_register, pl_spec_counter, pl_spec_pqueue, pl_spec_max_pqueue,
    pl_spec_bag, pl_spec_semaphore, pl_spec_lock, pl_spec_rwlock, pl_spec_snapshot, pl_spec_event,
    pl_spec_countdown, pl_spec_once;

/* By name or one of the usual other names (queue, stack, mutex, …); NULL: none. */
const struct pl_spec *pl_spec_find(const char *name);
const struct pl_spec *const *pl_spec_all(size_t *count);

/* For specs: a copy with room for more, and changes to it. */
void pl_state_release(struct pl_state *state);
void pl_state_copy(struct pl_state *to, const struct pl_state *from, uint32_t more);
void pl_state_insert(struct pl_state *state, uint32_t place, pl_value value);
void pl_state_remove(struct pl_state *state, uint32_t place);

/* The only answer is `answer` and the state stays; true if the operation agrees. */
bool pl_step_stay(const struct pl_state *from, const struct pl_operation *operation,
                  struct pl_state *to, pl_value answer, pl_value *result);

/* Does the operation accept this answer? */
static inline bool pl_agrees(const struct pl_operation *o, pl_value answer)
{
    return o->result == PL_ANY || o->result == answer;
}

/* Of containers: nothing cannot be put, for a take that answers it has found none. */
#define PL_A_VALUE_PUT "nil cannot be put: a take that answers nil has found nothing"
bool pl_fits_put(const struct pl_operation *call);

/* Common starts: nothing; one cell with the initial value. */
void pl_start_empty(pl_value initial, const struct pl_history *history, struct pl_state *out);
void pl_start_cell(pl_value initial, const struct pl_history *history, struct pl_state *out);

#endif
