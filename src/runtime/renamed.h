/* An execution again, with other names for its twins: renamed.c. */
#ifndef PL_RUNTIME_RENAMED_H
#define PL_RUNTIME_RENAMED_H

#include <stdbool.h>
#include <stdint.h>

/* After an execution: the next run is that one, renamed. class_of: of each of the `twins` the first
 * thread of its class. False: there is nothing to rename. */
bool pl_renamed_begin(uint64_t twins, const uint32_t *class_of);
/* After that run: was it the same but for names? */
bool pl_renamed_end(bool completed);

#endif
