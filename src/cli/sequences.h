/*
 * A golden implementation as a machine, for deciders that ask for any order of a test's invocations
 * (--criterion quasi): what is not known of a sequence is asked of its process, which runs it alone
 * from the start, each invocation on its thread. A state is a sequence:
 *
 *     start ── enq(1) ──┬── deq() = 1
 *                       └── enq(2) ── deq() = 1      asked once each, kept in the trial's tree
 *
 * Who makes a call does not matter here, as to a built-in spec: invocations that are the same call
 * are one (the trial's numbers say so), and so 12 takes of 5 threads have few sequences.
 *
 * A sequence ends where an invocation blocks. Two sequences that leave the object in the same state
 * are two states here (machine.h allows that): there is a limit of how many are run. Past it a step
 * is UNTRIED, and so it is when the process fails; then its sentence is in the answerer.
 *
 * Ownership: pl_sequences_free. Borrows the trial and the answerer.
 */
#ifndef PL_CLI_SEQUENCES_H
#define PL_CLI_SEQUENCES_H

#include "cli/answerer.h"
#include "cli/trial.h"

/* The trial's options are set. Its judge asks this machine from now on, and it owns it. */
void pl_sequences_attach(struct pl_trial *trial, struct pl_answerer *answerer, uint64_t most);
void pl_sequences_free(struct pl_sequences *sequences);

/* Was the limit reached? */
bool pl_sequences_are_too_many(const struct pl_sequences *sequences);

#endif
