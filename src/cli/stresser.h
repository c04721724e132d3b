/*
 * The work of `plumb stress`: the object on real threads, round after round, each round's history
 * decided while the next one runs; what is wrong is shown, and brought down to a small test.
 *
 * Every round is an object of its own, from its beginning. With --windows the round goes on over
 * many windows, and check/windows.h decides its history as it grows.
 *
 * Ownership: pl_stresser_release.
 */
#ifndef PL_CLI_STRESSER_H
#define PL_CLI_STRESSER_H

#include "check/windows.h"
#include "cli/checker.h"
#include "cli/stress_round.h"

struct pl_stresser {
    struct pl_checker checker; /* the object: its calls, its spec */
    uint64_t threads, operations, rounds, windows;
    double seconds;
    bool no_pin, no_localise, keep_going;
    unsigned sampling;   /* enum pl_sample_kind; 0: real threads */
    const char *history; /* where to write the bad history; NULL: NAME-N.history */
    /* For tables: nothing is shown; bad rounds are counted and the history of the first is kept. */
    bool quiet;
    struct pl_stressed kept;
    uint64_t bad;

    struct pl_subject native;
    uint16_t number[PL_STRESS_CALLS]; /* of each call of the wire: which of the object's */
    struct pl_server server;
    struct pl_symbols *symbols;
    double started, until, last_round, shown_at;
    double moved_at;   /* when the round under way was last seen to make a call */
    double looked_at;  /* whether its calls should wait */
    uint64_t moved_to; /* how far it was then */
    bool hangs;        /* the round was ended because it does */
    bool may_wait;     /* it was ended because all its calls wait, as they should */
    uint64_t waited;   /* such rounds */
    double cost_ns;
    struct pl_windows life;  /* of the round under way: its windows so far */
    bool has_windows;        /* more than one, some rounds at least */
    bool lost;               /* how it stands with that round is not known any more */
    uint64_t done, recorded; /* rounds, operations */
    uint64_t windows_done, cuts, carried;
    uint64_t undecided; /* rounds */
    unsigned found;
    bool interrupted, out_of_time;
};

void pl_stresser_init(struct pl_stresser *stresser);
void pl_stresser_release(struct pl_stresser *stresser);
/* The steps of that: everything before the first round; all rounds. */
enum pl_status pl_stresser_start(struct pl_stresser *stresser, struct pl_error *error);
enum pl_status pl_stresser_rounds(struct pl_stresser *stresser, struct pl_error *error);
/* stress_sampled.c: the same under the runtime, as `sampling` says. */
enum pl_status pl_stresser_sample(struct pl_stresser *stresser, struct pl_error *error);
/* Is it interrupted, out of time, done with one violation? Shows how far it is. */
bool pl_stresser_over(struct pl_stresser *stresser);
/* `parsed`, with its error, is what came of the command line. Returns the exit code. */
int pl_stresser_run(struct pl_stresser *stresser, enum pl_status parsed, struct pl_error *error);

/* Makes of a window read from its place the history of its round, as far as it matters. */
void pl_stresser_whole(const struct pl_stresser *stresser, struct pl_stressed *window);

/* stress_stuck.c: is it right that every call under way in a round waits? */
enum pl_decision pl_stress_may_wait(struct pl_stresser *stresser, unsigned place);

/* stress_show.c: what was found in a round. */
enum pl_status pl_stress_show_end(struct pl_stresser *s, const struct pl_stress_round *round,
                                  enum pl_finding_kind kind, struct pl_error *error);
enum pl_status pl_stress_show_history(struct pl_stresser *s, const struct pl_stressed *stressed,
                                      const struct pl_case *c, struct pl_error *error);

#endif
