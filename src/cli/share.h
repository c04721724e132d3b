/*
 * Processes that explore together: work goes from those that have some to those that have none.
 * Each way of the search is in exactly one place: in a process, or in work[] of one on its way.
 */
#ifndef PL_CLI_SHARE_H
#define PL_CLI_SHARE_H

#include "cli/process.h"

/* Moves what there is to move. *waiting: somebody has nothing to do. Returns whether all are done:
 * nobody has anything, nothing is on its way. */
bool pl_share(struct pl_process *const *process, size_t count, bool *waiting);
/* After the processes ended: was every way taken? */
bool pl_share_exhausted(struct pl_process *const *process, size_t count);

#endif
