/*
 * What `plumb history` says of the histories it decided: on the terminal and as JSON.
 *
 * Ownership: the report keeps copies; the cases may go.
 */
#ifndef PL_CLI_HISTORY_REPORT_H
#define PL_CLI_HISTORY_REPORT_H

#include <jansson.h>

#include "check/check.h"

struct pl_history_report {
    double started;
    size_t files; /* asked for */
    size_t good, bad, open;
    uint64_t operations, pending;
    json_t *findings, *histories;
};

void pl_history_report_init(struct pl_history_report *report, size_t files);
void pl_history_report_release(struct pl_history_report *report);

/* One history is decided: prints what there is to say of it, explains it if it is bad. */
void pl_history_report_add(struct pl_history_report *report, const char *file,
                           const struct pl_case *c, enum pl_decision decision,
                           const struct pl_check_how *how, unsigned jobs);

/* The verdict's line, --json, the exit code. `error` is NULL unless something was wrong. */
int pl_history_report_end(struct pl_history_report *report, bool interrupted, const char *error,
                          const char *json_file, int json);

#endif
