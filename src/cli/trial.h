/*
 * One test under one memory model: run serially, which gives the spec; explored; and every
 * history that the process sends decided while the search goes on.
 *
 * Ownership: pl_trial_release.
 */
#ifndef PL_CLI_TRIAL_H
#define PL_CLI_TRIAL_H

#include "check/clients.h"
#include "check/derived.h"
#include "check/enumerate.h"
#include "check/points.h"
#include "check/publish.h"
#include "check/walk.h"
#include "check/wrapped.h"
#include "cli/against.h"
#include "cli/process.h"
#include "cli/relaxed.h"
#include "cli/responses.h"
#include "plan/test.h"

/* A history as it came over the wire. */
struct pl_seen_history {
    struct pl_wire_history head;
    struct pl_order order;
    struct pl_allowed allowed;       /* weak models: which clients there are */
    uint32_t passed[PL_MOST_CALLED]; /* of each, the calls that happen before its return */
    const uint8_t *stored;           /* the graph to ask of them; only while it is decided */
    struct pl_called called[PL_MOST_CALLED]; /* in the words of the spec */
    unsigned effects;                        /* points, of the invocations */
    struct pl_wire_effect effect[PL_CHECK_EFFECTS];
    uint64_t reach[PL_CALLED_EVENTS]; /* weak models: calls and returns in the order of points */
    const uint8_t *candidates;        /* --infer-points: as they came; only while it is decided */
    unsigned candidate_count;
    size_t answer[PL_MOST_CALLED]; /* the responses: numbers of `responses` */
    uint8_t *graph;                /* kept only of a bad one */
};

struct pl_execute;
struct pl_inferred;
struct pl_sequences;
struct pl_shortcut;

/* How histories are decided: by what, and what is done when one is bad. */
enum pl_decider { PL_DECIDER_WALK, PL_DECIDER_ENUMERATE };
struct pl_deciding {
    unsigned decider;           /* enum pl_decider */
    unsigned no_lazy, no_hash;  /* of ENUMERATE: its optimisations off */
    unsigned no_skip;           /* and RELAXED: orders that were met are looked at again */
    unsigned run_again;         /* and a golden one: sequences that were run are run again */
    struct pl_relaxed *relaxed; /* quasi linearizable; NULL: linearizable */
    bool points;                /* the points that were passed are compared with the spec */
    struct pl_execute *execute; /* POINTS: knows the lines of code addresses */
    struct pl_budget budget;    /* when deciding ends; Ctrl-C */
    bool none;                  /* no history is asked for, none decided */
    unsigned no_publication;    /* what a spec demands to be synchronised is not looked at */
    bool observe;               /* serial histories are kept */
    bool like;                  /* --clients: threads that differ in names only may be renamed */
    bool has_empty;             /* --empty: what a take answers that finds nothing */
    pl_value empty;
    bool all;                     /* goes on after a bad one: one of each signature is kept */
    struct pl_inferred *inferred; /* --infer-points; NULL: not asked for */
};

/* What an object's calls are judged by. */
struct pl_judge {
    struct pl_against *against; /* NULL: the object's own serial runs */
    struct pl_wrapped wrapped;
    struct pl_machine *machine;
    uint32_t invocations; /* of the test: those of the object */
};

/* A history that is wrong. */
struct pl_bad {
    enum pl_finding_kind kind;
    unsigned judge; /* by which it is wrong */
    bool effective; /* STUCK: the call that never returns has taken effect */
    struct pl_seen_history seen;
    /* The same as it was decided: without the invocations that were never called. */
    struct pl_order order;
    struct pl_called called[PL_MOST_CALLED];
    uint8_t number[PL_MOST_CALLED]; /* which invocation */
    struct pl_refuted refuted;
    struct pl_client client; /* weak models: the client that sees it, numbered as `order` */
    struct pl_points points; /* POINTS; of each its number in seen.effect */
    uint8_t mark[PL_MOST_POINTS];
    struct pl_mismatch mismatch;
    struct pl_unpublished unpublished; /* UNPUBLISHED: operations */
    struct pl_conflict conflict;       /* NONDETERMINISTIC: what another run of it had answered */
    char *signature; /* which call is blamed for which answer: the same for like violations */
};
enum { PL_MOST_BAD = 16 };

/* Calls, by their numbers. */
struct pl_call_set {
    uint64_t bits[4];
};

/* Counted by a trial. */
struct pl_trial_stats {
    uint64_t serial, histories;          /* distinct ones that came, serial and other */
    uint64_t explained;                  /* of the other: by a line in the process */
    uint64_t bad;                        /* of them: wrong, or only some of their variants are */
    uint64_t executions, blocked;        /* up to the first that was wrong */
    struct pl_call_set waited, returned; /* in some serial run: for ever; at all */
    struct pl_enumerate_stats enumerate;
    struct pl_walk_stats walk;
    struct pl_clients_stats clients;
    struct pl_quasi_stats quasi;
    struct pl_points_stats points;
};

/* A serial history that is kept. */
struct pl_observed {
    uint32_t called, returned;
    uint32_t answer[PL_MOST_CALLED]; /* numbers of responses */
    uint8_t ran, order[PL_MOST_CALLED];
};

struct pl_trial {
    const struct pl_test *test;
    struct pl_test whole; /* what `test` points to: RELAXED has added takes at its end */
    const struct pl_call *calls;
    const char *model;
    const struct pl_deciding *deciding;
    struct pl_responses responses;
    struct pl_derived derived;
    struct pl_against *against;     /* a spec is given: then there are no serial runs; or NULL */
    struct pl_sequences *sequences; /* a golden implementation is asked; or NULL */
    struct pl_judge judge[PL_OBJECTS];
    unsigned judges;                     /* one, or one for each object of a spec */
    uint32_t invocation[PL_MOST_CALLED]; /* the machine's numbers */
    struct pl_walk *walk;
    struct pl_enumerate *enumerate; /* NULL: not the decider */
    struct pl_shortcut *shortcut;   /* NULL: there is none */
    struct pl_trial_stats stats;
    struct pl_bad *bad[PL_MOST_BAD]; /* what is wrong; the first one found first */
    unsigned bads;
    bool takes_any;                /* an operation has this mark */
    bool split;                    /* serial runs of the test with other threads (check_split.c): */
    uint8_t place[PL_MOST_CALLED]; /* which invocation of `test` each of theirs is */
    struct pl_observed *observed;
    size_t observed_count, observed_room;
    pid_t process;  /* whose histories are counted */
    uint8_t *wrong; /* bit per key of a history: it is in stats.bad; NULL: none is */
    bool only_walk; /* without shortcuts: none may change a verdict */
    bool renamed;   /* executions stand for others with other names (runtime/symmetry.h) */
    bool undecided; /* a decider did not know */
    bool malformed;
};

void pl_trial_init(struct pl_trial *trial, const struct pl_test *test, const struct pl_call *calls,
                   const char *model, struct pl_against *against,
                   const struct pl_deciding *deciding);
/* A response in the words of the judge's spec, as text. */
void pl_trial_text(const struct pl_trial *trial, unsigned judge, pl_value response,
                   struct pl_strbuf *out);
void pl_trial_release(struct pl_trial *trial);

/* The groups of the operations of a bad history, as it was decided. */
void pl_trial_groups(const struct pl_trial *trial, const struct pl_bad *bad,
                     uint8_t group[PL_MOST_CALLED]);

/* Did the invocation, which returned, answer empty, false, 0? */
bool pl_trial_is_failure(const struct pl_trial *trial, unsigned invocation,
                         const struct pl_seen_history *history);
/* Derived specs: did it take a value that another was called with? Have all operations that may
 * take any value (marks) taken one that was put in, each value as often as it was put in at most?
 */
bool pl_trial_took_value(const struct pl_trial *trial, unsigned invocation,
                         const struct pl_seen_history *history);
bool pl_trial_is_inside(const struct pl_trial *trial, const struct pl_seen_history *history);

/* Does it look at what has to be synchronised (check/publish.h)? */
bool pl_trial_publishes(const struct pl_trial *trial);

/* Decides the history of `bad`: its kind is NONE if all is well, and trial->undecided set if it is
 * not known. */
void pl_trial_decide(struct pl_trial *trial, struct pl_bad *bad);

/* The wire's options for it. */
void pl_trial_test(const struct pl_trial *trial,
                   struct pl_wire_check *check); /* of them, the test */
void pl_trial_options(const struct pl_trial *trial, struct pl_wire_options *options);

/* The bad history of this signature; NULL: there is none. */
struct pl_bad *pl_trial_find(const struct pl_trial *trial, const char *signature);
/* Likewise; or, if no call was to blame, one with some of these calls and answers and no others: a
 * smaller test has fewer. */
struct pl_bad *pl_trial_find_within(const struct pl_trial *trial, const char *signature);

/* Takes what the process has sent; asks it to stop when something is wrong, unless all is to be
   seen. For pl_plan.watch. */
void pl_trial_take(void *trial, struct pl_process *process);
/* The serial run that another process has sent, as a part of the spec. False: it contradicts
   others, or itself: there are two. */
bool pl_trial_take_serial(struct pl_trial *trial, struct pl_wire *wire);

#endif
