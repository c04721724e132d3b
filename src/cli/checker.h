/*
 * The work of `plumb check`: builds the subject with its driver, runs the tests one after the
 * other, shows what is wrong, says the verdict.
 *
 * Ownership: pl_checker_release.
 */
#ifndef PL_CLI_CHECKER_H
#define PL_CLI_CHECKER_H

#include "build/words.h"
#include "cli/answerer.h"
#include "cli/cover.h"
#include "cli/driver.h"
#include "cli/execute.h"
#include "cli/observe.h"
#include "cli/trial.h"
#include "plan/agenda.h"

enum {
    PL_CHECK_MARK_KINDS = 6, /* group, limit, blocking, may-fail, late, data-independent */
    PL_CHECK_CALLS = 200,    /* a test has a byte for each */
    PL_CHECK_CALL_WORDS = (PL_CHECK_CALLS + 63) / 64,
};

/* What trials counted. */
struct pl_check_sums {
    uint64_t executions, blocked, cut, steps;
    uint64_t beyond; /* --preemptions: left something out */
    struct pl_trial_stats stats;
    unsigned threads;
    bool woken_once; /* --spurious: left something out */
    bool renamed;    /* executions that differ in names only are one */
    bool interrupted, out_of_time, undecided;
    bool sequences; /* a golden implementation would have had to run more than --golden-runs */
    bool passing;   /* what a loop writes in passing could be read where that is not explored */
    /* Bit per call: as on the wire. */
    uint64_t answered[PL_CHECK_CALL_WORDS], looked_at[PL_CHECK_CALL_WORDS];
};

/* --golden: another implementation, built like the subject. */
struct pl_golden {
    struct pl_settings settings;
    struct pl_execute execute;
    char *driver, *flags;
    struct pl_answerer answerer; /* --criterion quasi: runs any sequence of calls */
};

#define PL_CRITERION_WORDS "linearizable|none|quasi|points"
enum pl_criterion {
    PL_CRITERION_LINEARIZABLE,
    PL_CRITERION_NONE,
    PL_CRITERION_QUASI,
    PL_CRITERION_POINTS,
};

struct pl_checker {
    struct pl_settings settings;
    struct pl_driver driver;
    struct pl_texts call_texts, cell_texts, tests;
    struct pl_texts lines;                      /* of --test @FILE: ours to free */
    struct pl_texts marks[PL_CHECK_MARK_KINDS]; /* as given */
    const char *init, *final, *model, *size, *clients;
    const char *spec, *map, *initial, *empty; /* --spec and what goes with it */
    const char *observations;
    struct pl_cover *cover;     /* NULL: which code is reached is not known */
    struct pl_observe *observe; /* --observations; NULL: not asked for */
    uint64_t random;
    bool keep_going, no_shrink, show_stats, automatic;
    bool criterion_given, find_factor, infer_points;
    bool asked;         /* for particular tests: the verdict is about all of them */
    unsigned criterion; /* enum pl_criterion */
    unsigned reading;   /* --quasi: enum pl_quasi_reading */
    unsigned complete;  /* on|off */
    unsigned cell_count;
    const char *relax;            /* --relax */
    bool find_relaxed;            /* and --find-factor: its number grows as tests need it */
    const char *factor;           /* --factor */
    struct pl_inferred *inferred; /* --infer-points; NULL: not asked for */
    struct pl_deciding deciding;

    struct pl_call *calls;
    size_t count;
    char *driver_text, *own_spec;
    struct pl_execute execute;
    char *own_factor; /* of the subject: LINE:FACTORS */
    struct pl_relaxed relaxed;
    const char *golden_file, *golden_flags;
    uint64_t golden_runs;      /* most of one test, for --criterion quasi */
    struct pl_golden *golden;  /* NULL: none */
    struct pl_against against; /* spec NULL: the object's own serial runs */
    struct pl_test *given;     /* each with equal values told apart, then as it was written */
    size_t given_count;
    struct pl_cell *cells; /* what generated tests are made of */
    struct pl_texts made;  /* texts of --clients; owned */
    struct pl_words known; /* signatures of violations that were shown */
    struct pl_test around; /* an initial and a final sequence */
    struct pl_agenda agenda;
    double until; /* pl_now() to stop at; 0: none */
    double limit; /* seconds of one test; 0: none */
    struct pl_check_sums sums;
    unsigned shown, stages_printed;
    bool shrinking;           /* tests are tried, not run for their own sake */
    struct pl_strbuf ending;  /* of the report: what shrinking came to */
    struct pl_strbuf object;  /* which object it is, as options of a command line */
    double started, shown_at; /* the progress line */
};

void pl_checker_init(struct pl_checker *checker);
void pl_checker_release(struct pl_checker *checker);

/* Everything before the first test: the calls, the program, the spec. For the commands that work
 * with the same objects; `execute` has been set up. Errors: PL_ERR_INPUT, PL_ERR_SYSTEM. */
enum pl_status pl_checker_prepare(struct pl_checker *checker, struct pl_error *error);

/* Before anything that takes long: opens what is to be written. `parsed`, with its error, is what
 * came of the command line, and comes first. */
enum pl_status pl_checker_open(struct pl_checker *checker, const char *command,
                               enum pl_status parsed, struct pl_error *error);

/* `parsed`, with its error, is what came of the command line. Returns the exit code. */
int pl_checker_run(struct pl_checker *checker, enum pl_status parsed, struct pl_error *error);

#endif
