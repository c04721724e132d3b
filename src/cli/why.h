/* What is wrong with a history, in words: the sentence, the columns, why no order explains it. */
#ifndef PL_CLI_WHY_H
#define PL_CLI_WHY_H

#include "cli/trial.h"
#include "report/report.h"

/* The texts that a report needs. Ownership: pl_why_release. */
struct pl_why {
    struct pl_report_check report; /* points to what follows */
    char *test, *sentence, *details;
    const char *name[PL_MOST_CALLED];
    const char *response[PL_MOST_CALLED];
    uint8_t thread[PL_MOST_CALLED], event[PL_CALLED_EVENTS];
    uint32_t before[PL_MOST_CALLED]; /* in the history: those that had returned before its call */
};

/* Of a bad history of the trial; the names are those of the calls, which stay. */
void pl_why_bad(struct pl_why *out, struct pl_trial *trial, const struct pl_bad *bad,
                const struct pl_call *calls);
/* Of an error of another kind (a race, a crash): only the test is named. */
void pl_why_other(struct pl_why *out, const struct pl_trial *trial, const struct pl_call *calls);
void pl_why_release(struct pl_why *why);

#endif
