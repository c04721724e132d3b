/*
 * What the user asked of `plumb run`, with its defaults; what a saved finding
 * keeps of it so that `plumb replay` runs the same thing.
 *
 * Ownership: lists are released by pl_settings_release; texts are borrowed from
 * argv or from the saved file.
 */
#ifndef PL_CLI_SETTINGS_H
#define PL_CLI_SETTINGS_H

#include <stdbool.h>
#include <stdint.h>

#include "cli/options.h"
#include "report/report.h"
#include "result/wire.h"

struct pl_settings {
    struct pl_texts inputs, flags, arguments;
    const char *cc, *compile_commands, *suppressions;
    uint64_t executions, seed, steps, stack_kib, jobs, unroll, nondet;
    bool executions_given;
    uint64_t preemptions; /* of explore and check, under sc: the most of an execution */
    bool preemptions_given;
    double seconds, hang_seconds;
    unsigned races, volatiles, reuse; /* indices of their words */
    unsigned symmetry, helping;       /* index of the word */
    bool leaks, spurious, keep_going, robust;
    const char *json, *junit, *save;
    const char *checkpoint, *resume; /* of explore: files; NULL: none */
    unsigned trace;                  /* short|full */
    unsigned colour;                 /* auto|always|never */
    unsigned model;                  /* of explore: index of its word */
    bool coverage;                   /* which code is reached is recorded */
    bool explores;                   /* every execution, not random ones */
    /* check: the driver's text, in C++ or C; the test; what its report says. NULL: not check. */
    const char *driver;
    bool driver_cxx;
    bool native; /* stress: compiled as it is, on real threads */
    struct pl_wire_check check;
    const struct pl_report_check *report;
    const char *spec;         /* of a history that is to be saved: again.h */
    const char *strategy;     /* of explore, as given; NULL: every execution */
    unsigned sampling, depth; /* what it says: enum pl_sample_kind of explore/sample.h */
};

#define PL_RACES_WORDS    "report|allow|off"
#define PL_VOLATILE_WORDS "relaxed|plain"
#define PL_REUSE_WORDS    "on|off"

#define PL_SYMMETRY_WORDS "on|off"
#define PL_HELPING_WORDS  "fold|explore"
#define PL_MODEL_WORDS    "rc11|sc|tso"
const char *pl_settings_model(const struct pl_settings *settings); /* its word */
/* Reads settings->strategy. Errors: PL_ERR_INPUT. */
enum pl_status pl_settings_strategy(struct pl_settings *settings, struct pl_error *error);
/* Do --preemptions and the rest go together? Errors: PL_ERR_INPUT. */
enum pl_status pl_settings_preemptions(const struct pl_settings *settings, struct pl_error *error);
void pl_settings_init(struct pl_settings *settings);
void pl_settings_release(struct pl_settings *settings);

/* The part of the wire's options the settings decide; ranges and replay are left at zero. */
void pl_settings_wire(const struct pl_settings *settings, struct pl_wire_options *options);

#endif
