/*
 * The serial histories of tests in a file, grouped as in Line-Up's observation files: all
 * histories of a group have the same operations with the same answers on each thread and differ in
 * the order of the threads.
 *
 *     <observationset test="add(1) | take()">
 *       <observation id="1">
 *         <thread id="1">1</thread> <thread id="2">2</thread>
 *         <op id="1" name="add(1)"/> <op id="2" name="take()">1</op>
 *         <history>1[ ]1 2[ ]2</history>
 *       </observation>
 *
 * An operation that blocks is marked with a B behind its number, a stuck history ends with #.
 * Threads of a test are numbered from 1; main, which makes the calls before and after, is 0.
 */
#ifndef PL_CLI_OBSERVE_H
#define PL_CLI_OBSERVE_H

#include "cli/trial.h"

struct pl_observe; /* the file */

/* Errors: PL_ERR_INPUT: it cannot be written. */
enum pl_status pl_observe_open(struct pl_observe **out, const char *file, const char *subject,
                               struct pl_error *error);
/* Writes the end; false: something could not be written. */
bool pl_observe_close(struct pl_observe *observe);
/* The set of a test, unless it is there already. */
void pl_observe_add(struct pl_observe *observe, const struct pl_trial *trial);
/* Which group of the test has the answers of this history; 0: none. */
unsigned pl_observe_group(const struct pl_trial *trial, const struct pl_bad *bad);

#endif
