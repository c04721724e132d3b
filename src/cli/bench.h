/*
 * `plumb bench papers`: the tables of papers run again, our figures beside theirs.
 *
 *   bench.c         the command; which tables there are
 *   bench_run.c     one run of a subject: many tests, what came of each
 *   bench_NAME.c    a table: its rows, with the paper's figures, and how they are printed
 *
 * A new table is a file and a line in bench.c.
 */
#ifndef PL_CLI_BENCH_H
#define PL_CLI_BENCH_H

#include <jansson.h>
#include <stdbool.h>
#include <stdint.h>

#include "base/status.h"
#include "result/finding.h"

/* What the user asked for. */
struct pl_bench {
    const char *subjects; /* the directory of the gallery */
    const char *row;      /* only rows whose name has this in it; NULL: all */
    double seconds;       /* the processor's, of one run */
    double unbounded;     /* lineup: of one without a bound; 0: the same */
    double rc11;          /* lineup: of one under rc11; 0: as without a bound */
    uint64_t tests, seed; /* random tests of a run */
    unsigned differ;      /* rows that did not come out as in the paper */
    unsigned undone;      /* others of which it is not known, for the time was over */
    bool interrupted;
};

/* One run: which subject, which tests, how. */
struct pl_bench_run {
    const char *subject;      /* below the directory */
    const char *const *given; /* tests, the last one NULL; NULL: random ones */
    const char *clients;      /* or one test: PUTTERS+TAKERS, one call a thread */
    const char *size;         /* of the random ones */
    bool every;               /* all tests of that size, not random ones */
    const char *model;
    bool races_allowed;
    int preemptions; /* at most; below zero: no bound */
    bool list_all;   /* every history and every order, to the end, whatever is wrong */
    bool unchecked;  /* executions only */

    /* What a subject file does not say itself; NULL: nothing. */
    const char *const *calls; /* the last one NULL */
    const char *setup, *spec, *blocking;
    const char *init, *final; /* calls around the tests */
    bool quasi;               /* the criterion; otherwise linearizable */
    const char *factor;       /* QUASI; NULL: the subject's */
    unsigned reading;         /* enum pl_quasi_reading */
    bool plain;               /* LIST_ALL: without optimisations */
    bool all_bad;             /* goes on after a violation */
    unsigned unroll;          /* rounds of loops; 0: no bound */
};

struct pl_bench_result {
    uint64_t tests;
    uint64_t pass, fail;          /* explored to the end; and found wrong */
    uint64_t left;                /* the rest: not done in time */
    uint64_t serial, serial_most; /* serial histories: of all tests, the most of one */
    uint64_t executions, blocked, histories;
    uint64_t bad;              /* histories that are wrong */
    uint64_t distinct;         /* histories that were listed, if they were */
    uint64_t permutations;     /* and of their orders, QUASI */
    uint64_t covered;          /* executions of a test that was left, the most of one */
    enum pl_finding_kind kind; /* of the first that failed */
    double seconds, processor; /* after the build; processor: ours and that of the subject */
};

/*
 * Runs every test for an equal share of the time; those that were not done, again with longer
 * shares while there is time. A wrong test is not shrunk. Errors: those of `plumb check`.
 */
enum pl_status pl_bench_run(struct pl_bench *bench, const struct pl_bench_run *run,
                            struct pl_bench_result *out, struct pl_error *error);
json_t *pl_bench_json(const struct pl_bench_result *result);
/* Is the row asked for? */
bool pl_bench_wants(const struct pl_bench *bench, const char *row);

/* The tables. Each prints itself and adds an object for each row to `rows`. */
enum pl_status pl_bench_lineup(struct pl_bench *bench, json_t *rows, struct pl_error *error);
enum pl_status pl_bench_thesis(struct pl_bench *bench, json_t *rows, struct pl_error *error);
enum pl_status pl_bench_roundup(struct pl_bench *bench, json_t *rows, struct pl_error *error);
enum pl_status pl_bench_cgvt(struct pl_bench *bench, json_t *rows, struct pl_error *error);
enum pl_status pl_bench_clients(struct pl_bench *bench, json_t *rows, struct pl_error *error);
enum pl_status pl_bench_checking(struct pl_bench *bench, json_t *rows, struct pl_error *error);

#endif
