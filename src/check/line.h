/* One serial order for all histories of an execution (graph/line.h), by a machine. */
#ifndef PL_CHECK_LINE_H
#define PL_CHECK_LINE_H

#include "check/behaviour.h"
#include "check/machine.h"
#include "graph/line.h"

/* Who wants to know which steps were taken, or refused; only what stays so is said. */
struct pl_line_note {
    void (*note)(void *context, uint32_t state, unsigned operation, bool taken, uint32_t next);
    void *context;
};

/* An operation with its response in a state: is it taken, and what comes then? */
enum pl_line_answer pl_line_ask(struct pl_machine *machine, const struct pl_called *called,
                                uint32_t state, uint32_t *next);

/* True: all histories are fine. False: not by one line, or not within the steps it may take. note:
 * may be NULL. */
bool pl_line_explains(const struct pl_line_order *order, struct pl_machine *machine,
                      const struct pl_called *called, const struct pl_line_note *note);

#endif
