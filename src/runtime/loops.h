/* Void rounds: what the rest of the runtime tells of writes and effects while exploring. */
#ifndef PL_RUNTIME_LOOPS_H
#define PL_RUNTIME_LOOPS_H

#include "explore/trust.h"
#include "runtime/rt.h"

void pl_loops_reset(void);
void pl_loops_keep(void); /* station.h */ /* at the start of an execution */
/* The running thread is about to write plain memory. */
void pl_loops_write(uint64_t address, uint64_t size);
/* Has the front end said of the atomic store that comes now that it does not count? */
bool pl_loops_take_dead(uint64_t address);
/* Which bits of what the update that comes now returns has it said that the program does not use?
 */
uint64_t pl_loops_take_unseen(uint64_t address);
/* Does a round end, with nothing changed, if the compare-exchange that comes now fails? Then one
 * more than the events that the thread had made when it began, else 0. *paired: it goes with a load
 * (explore/pairs.c). Is the load that comes now one of a pair? */
unsigned pl_loops_take_retry(uint64_t address, unsigned size, bool *paired);
bool pl_loops_in_pair(void); /* has such a load been made, and not the compare-exchange? */
bool pl_loops_take_pair(uint64_t address, struct pl_trust_pair *out);
/* Is the running thread in a round that has changed nothing, and has made no events but reads? How
 * many had it made before it? */
bool pl_loops_has_only_read(unsigned *since);
/* Something that no comparison sees: allocation, the clock, random numbers. */
void pl_loops_effect(void);
void pl_loops_allocates(void);

/*
 * Trials: what the rest of a round comes to if an atomic operation returns a value, found by
 * running it. Only in a loop that touches nothing but atomics (so that nothing has to be undone but
 * the stack and the registers), in a round that has only read so far; and only up to the next thing
 * of note: another atomic operation, the loop's head, its end if the loop around it is none of
 * that kind.
 */
struct pl_trial {
    bool is_void;   /* the round ended at the loop's head, and has changed nothing */
    bool same;      /* the next would be this one again: pl_model_void_round() */
    unsigned since; /* events of the thread before the round */
    /* It came to a loop that goes on while it finds the value at that place; and then it is void.
     */
    bool in_vain;
    uint64_t place, value;
};
bool pl_loops_may_try(void);
/* True: the trial begins, and the caller returns the value to the program at once. False: it has
 * ended, the caller's whole stack is as it was, and here is the result. second, if not NULL: what
 * an update returns to which it comes next. Else it ends there: at which one? False: at none. */
bool pl_loops_try(struct pl_trial *result, const uint64_t *second);
bool pl_loops_tried_update(struct pl_trust_access *out);
/* In a trial, before an update: returns what the program is to get, or does not return. */
uint64_t pl_loops_try_update(const struct pl_trust_access *a);
bool pl_loops_trying(void);
bool pl_loops_try_pause(void); /* is it in a trial that the thread pauses? Not too often */
void pl_loops_end_trial(void); /* if there is one; then it does not return */

#endif
