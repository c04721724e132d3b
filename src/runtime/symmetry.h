/*
 * Which threads are twins (explore/symmetry.c): created by main, one right after the other, with
 * the same function and argument and no attributes, before main has read anything of another
 * thread. The search begins again without symmetry when somebody could tell them apart:
 * - anybody asks for a thread's name (pthread_self, pthread_equal, gettid) or signals a thread;
 * - main makes a step or touches memory other than its stack between their creations or their
 * joins, takes what one returned, or looks whether one has ended; another thread joins one;
 * - a twin allocates memory, looks at a clock or a random number, creates a thread, or uses an
 *   address of a stack or of thread-local memory in an atomic operation;
 * - an execution is another one when their names are exchanged (renamed.c).
 *
 * Of a check the columns that the tool says to be alike are twins (wire.h): calls of one operation,
 * but for the value that it only passes on. They may allocate: each thread does so in an arena of
 * its own, so another name for the thread is another name for its blocks and its value, no more.
 */
#ifndef PL_RUNTIME_SYMMETRY_H
#define PL_RUNTIME_SYMMETRY_H

#include <stdbool.h>
#include <stdint.h>

void pl_symmetry_init(void);
void pl_symmetry_begin(void);
void pl_symmetry_keep(void); /* station.h */ /* of an execution */
/* After the step of main, or of another thread. */
void pl_symmetry_create(uint32_t created, uint64_t start, uint64_t argument, bool plain);
void pl_symmetry_join(uint32_t joined, bool plain);
/* Memory that is not the thread's own stack, by a plain access. */
void pl_symmetry_access(uint64_t address);
void pl_symmetry_astray(void);    /* a twin could not wait for the other */
void pl_symmetry_stop(void);      /* from the next search on threads are not renamed */
void pl_symmetry_name(void);      /* a thread's name is asked for */
void pl_symmetry_effect(void);    /* the thread does what depends on which thread it is */
void pl_symmetry_allocates(void); /* or gives back */
/* After a complete execution: the next run is a proof, that execution with other names (renamed.c).
 * After that run: is it the same? If not, there is no symmetry any more. */
bool pl_symmetry_begin_proof(void);
bool pl_symmetry_end_proof(bool complete);
void pl_symmetry_value(uint64_t value); /* the thread uses it in an atomic operation */

#endif
