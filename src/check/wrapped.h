/*
 * A spec of src/spec as a machine: its states, sequences of words, get numbers when they are
 * first met, and each answer is computed once.
 *
 * An invocation is an operation with its code, arguments and thread; its number is the order in
 * which they were added.
 *
 * Ownership: borrows the spec and the history, in whose values lists that are answered are
 * interned; owns the rest.
 */
#ifndef PL_CHECK_WRAPPED_H
#define PL_CHECK_WRAPPED_H

#include "check/behaviour.h"
#include "check/machine.h"
#include "spec/relaxation.h"

struct pl_wrapped {
    struct pl_machine machine; /* first */
    const struct pl_spec *spec;
    struct pl_relaxation relaxation; /* its takes are relaxed */
    struct pl_values *values;
    struct pl_operation *invocation;
    pl_value *refused; /* of each invocation: an answer it does not give; PL_ANY: none */
    uint32_t invocations, invocation_room;
    struct pl_state *state;
    uint32_t states, state_room;
    uint32_t *slot; /* hash table: state + 1 */
    uint32_t slot_mask;
    struct pl_wrapped_cell {
        uint32_t first, count; /* in answer */
        bool known;
    } * cell; /* [state * invocations + invocation] */
    struct pl_wrapped_answer {
        pl_value response;
        uint32_t next;
    } * answer;
    uint32_t answers, answer_room;
    struct pl_state scratch;
};

/* spec->start looks at the history; values of behaviours are those of its table. */
void pl_wrapped_init(struct pl_wrapped *wrapped, const struct pl_spec *spec, pl_value initial,
                     struct pl_history *history);
void pl_wrapped_release(struct pl_wrapped *wrapped);

/* Its takes are relaxed. Before all that follows; the spec has a head. */
void pl_wrapped_relax(struct pl_wrapped *wrapped, const struct pl_relaxation *relaxation);

/* The number of an invocation; the same one gets the same number. All before the first step. */
uint32_t pl_wrapped_invocation(struct pl_wrapped *wrapped, const struct pl_operation *operation);

/* Likewise of one that waits instead of giving this answer. */
uint32_t pl_wrapped_waiting(struct pl_wrapped *wrapped, const struct pl_operation *operation,
                            pl_value refused);

/* The operations of a behaviour that, with their answers, change no state: pl_enumerate's reads. */
uint32_t pl_wrapped_reads(const struct pl_wrapped *wrapped, const struct pl_behaviour *behaviour);

#endif
