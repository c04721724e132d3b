/*
 * The shortcut of a trial: a history whose answers were seen before is tried with one line
 * (check/line.h), as it lies in the ring, before anything else is made of it. Only where
 * linearizability is all that is asked for: one spec for all operations, none with a mark that
 * changes what is decided, no other criterion or decider. With PLUMB_NO_SHORTCUTS there is none.
 *
 * What has to be published (check/publish.h) is, if it was with no more of `passed` and the same
 * answers.
 *
 * What is found out of the spec on the way goes to the process, which then explains most histories
 * itself (struct pl_wire_lines).
 */
#ifndef PL_CLI_SHORTCUT_H
#define PL_CLI_SHORTCUT_H

#include "cli/trial.h"

/* NULL: there is none for the trial. */
struct pl_shortcut *pl_shortcut_new(const struct pl_trial *trial);
void pl_shortcut_free(struct pl_shortcut *shortcut);
/* Is publication asked for, and told by pairs of answers? */
bool pl_shortcut_pairs(const struct pl_shortcut *shortcut);
/* Is it not known yet whether histories with its key are good whatever their `global` is? They are,
 * or need not be. */
bool pl_shortcut_may_settle(const struct pl_wire_history *head, const struct pl_wire_lines *lines);
void pl_shortcut_settle(const struct pl_wire_history *head, struct pl_wire_lines *lines, bool good);
/* Is the record of the ring a history that is explained? */
bool pl_shortcut_takes(const struct pl_trial *trial, const uint8_t *at, uint32_t bytes,
                       struct pl_wire_lines *lines);
/* The record was decided, and found good. */
void pl_shortcut_add(const struct pl_trial *trial, const uint8_t *at, uint32_t bytes,
                     const struct pl_bad *decided, struct pl_wire_lines *lines);

#endif
