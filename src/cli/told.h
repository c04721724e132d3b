/* For our own tests: the histories that a trial was given, as lines of a file. */
#ifndef PL_CLI_TOLD_H
#define PL_CLI_TOLD_H

#include "cli/trial.h"

/* With the variable PLUMB_TELL_HISTORIES, to the end of the file that it names: test, kind,
 * answers, and what orders calls and returns. With --decider=enumerate every one comes. */
void pl_tell_history(const struct pl_trial *t, const struct pl_seen_history *h);

#endif
