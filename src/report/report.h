/*
 * What a user sees of a finding: on the terminal and as JSON.
 *
 * Invariants:
 * I1  The text of a finding depends on the finding and the program only: no times,
 *     no raw addresses of the process, no width of the terminal.
 * I2  Colours are asked for, never guessed here.
 *
 * Ownership: everything is borrowed; texts are appended to the caller's buffers.
 */
#ifndef PL_REPORT_REPORT_H
#define PL_REPORT_REPORT_H

#include <jansson.h>
#include <stdbool.h>
#include <stdint.h>

#include "base/strbuf.h"
#include "result/finding.h"
#include "result/wire.h"
#include "symbol/symbol.h"

/* A history: what `plumb check` knows of it; names by the number of the invocation. */
struct pl_report_check {
    const char *test;     /* "enq(1),deq() | enq(2)" */
    const char *sentence; /* what is wrong */
    const char *details;  /* columns, and why: lines */
    const char *under;    /* the memory model */
    const char *ending;   /* lines after the interleaving */
    const char *why;      /* of the details, for machines: lines; NULL: none */
    const uint8_t *event; /* the history: 2i the call, 2i + 1 the return of invocation i */
    unsigned events;
    unsigned returned;   /* bit per invocation */
    json_t *suggestions; /* for machines: marks that would let it pass; NULL or empty: none */
    const char *const *name, *const *response;
    const uint8_t *thread; /* of each */
    unsigned operations;
};

struct pl_report {
    const struct pl_wire *wire;
    struct pl_symbols *symbols;
    const char *subject; /* the first input as the user gave it: where there is no line */
    const char *saved;   /* the file to replay the finding with; NULL: none was written */
    bool colour;
    bool full_trace;                     /* --trace=full: nothing folded */
    const struct pl_report_check *check; /* NULL: not of check */
};

/* The whole report of one finding. */
void pl_report_finding(const struct pl_report *report, const struct pl_wire_finding *finding,
                       struct pl_strbuf *out);

/* Only its sentence: "file:line: thread 2 reads …". */
void pl_report_message(const struct pl_report *report, const struct pl_wire_finding *finding,
                       struct pl_strbuf *out);

/* The same as an object: kind, message, file, line, threads, stacks, trace, … */
json_t *pl_report_finding_json(const struct pl_report *report,
                               const struct pl_wire_finding *finding);

/* "main" or "thread 2". */
void pl_report_thread(struct pl_strbuf *out, unsigned thread);

/* 10,000 */
void pl_report_count(struct pl_strbuf *out, uint64_t number);

/* A rule of the suppression file and how many races it silenced. */
struct pl_report_suppression {
    const char *text; /* "race:foo" */
    const char *file;
    int line;
    uint64_t count;
};

/* The result of a command, as --json has it (DESIGN 4.7). */
struct pl_outcome {
    enum pl_verdict verdict;
    const char *coverage; /* "sampled", "exhaustive", …; NULL on errors */
    const char *model;    /* NULL: sc; "": not known */
    const char *robust; /* "yes", "no", "unknown": are all executions sequentially consistent? NULL:
                           not asked */
    const char *command;
    const char *message;
    const char *diagnostics; /* what a compiler wrote; NULL or empty: nothing */
    uint64_t executions, blocked, cut, steps, seed, tests, histories;
    unsigned threads;
    double seconds;
    double estimate, estimate_low, estimate_high; /* of executions in all; 0: none */
    int64_t preemptions;                          /* the bound asked for; -1: none */
    uint64_t bound;                               /* the one last looked at */
    double chance; /* of each sample to show a bug of the depth asked for, at least; 0: not known */
    json_t *findings; /* array of pl_report_finding_json; NULL: none */
    json_t *warnings; /* array of texts; NULL: none */
    json_t *more;     /* object: members of a command's own; NULL: none */
    const struct pl_report_suppression *suppressions;
    size_t suppression_count;
};

json_t *pl_outcome_json(const struct pl_outcome *outcome);
/* As JUnit XML. `cases`: array of objects with name, state (pass, failure, error, skipped), type,
 * message; NULL: one case, or one for each finding. */
void pl_outcome_junit(const struct pl_outcome *outcome, const char *subject, json_t *cases,
                      struct pl_strbuf *out);

#endif
