/* The progress line: on stderr, only on a terminal, gone at the end. */
#ifndef PL_CLI_PROGRESS_H
#define PL_CLI_PROGRESS_H

#include <stdbool.h>
#include <stdint.h>

#include "base/strbuf.h"

struct pl_progress {
    bool on, shown;
    double next, started;
    uint64_t before; /* executions of the runs before this one */
};

/* About how many executions there are in all, and between what, most probably; 0: no idea. */
struct pl_estimate {
    double executions, low, high;
};

struct pl_so_far {
    uint64_t executions, blocked, findings;
    uint32_t depth; /* explore: events of the longest execution; 0: not exploring */
    struct pl_estimate estimate;
};

void pl_estimate_text(const struct pl_estimate *estimate, struct pl_strbuf *out);
void pl_progress_show(struct pl_progress *progress, double now, const struct pl_so_far *so_far);
void pl_progress_clear(struct pl_progress *progress);

#endif
