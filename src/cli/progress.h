/* The progress line: on stderr, only on a terminal, gone at the end. */
#ifndef PL_CLI_PROGRESS_H
#define PL_CLI_PROGRESS_H

#include <stdbool.h>
#include <stdint.h>

struct pl_progress {
    bool on, shown;
    double next, started;
};

void pl_progress_show(struct pl_progress *progress, double now, uint64_t executions,
                      uint64_t findings);
void pl_progress_clear(struct pl_progress *progress);

#endif
