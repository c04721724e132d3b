/*
 * What `run` and `explore` have in common: the options, building, running, showing the
 * findings, the verdict. They differ in which executions are run.
 */
#ifndef PL_CLI_SEARCH_H
#define PL_CLI_SEARCH_H

#include "cli/execute.h"

enum { PL_RUN_OPTIONS = 23, PL_SEARCH_OPTIONS = 31 };

struct pl_search {
    const char *name, *usage, *examples;
    bool explores; /* every execution under --model; else random ones */
};

int pl_search(const struct pl_search *command, int argc, char **argv);

#endif
