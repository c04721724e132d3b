/*
 * The parts of `plumb check`, each a file:
 *
 *   checker.c        the driver; then the others in turn
 *   check_subject.c  the calls, or the subject's table; their marks; the spec
 *   check_names.c    names of operations that have a prefix in common
 *   check_golden.c   another implementation, which is the spec
 *   check_tried.c    what its operations are, found by trying
 *   check_quasi.c    the factors of --criterion quasi
 *   check_points.c   --criterion points
 *   check_agenda.c   which tests
 *   check_run.c      runs them, in several processes if asked to
 *   check_shrink.c   a wrong test made smaller
 *   check_tests.c    tests from files
 *   check_clients.c  the test of --clients
 *   check_trial.c    one test under one model
 *   check_notes.c    what a pass takes for granted
 *   check_split.c    more serial runs of it, for operations that may fail or be late
 *   check_suggest.c  a weaker spec that would do
 *   check_show.c     a violation, traced and shown
 *   check_alike.c    tests that show the same
 *   check_verdict.c  the head line and the verdict
 *   check_stats.c    what the deciders counted
 */
#ifndef PL_CLI_CHECK_PARTS_H
#define PL_CLI_CHECK_PARTS_H

#include "cli/checker.h"

/* Reads --call; or asks the program, which is a subject file. Errors: PL_ERR_INPUT. */
enum pl_status pl_check_read_calls(struct pl_checker *checker, struct pl_error *error);
/* How many calls the tests are made of: those that are spare come last and do not count. */
size_t pl_check_calls(const struct pl_checker *checker);
enum pl_status pl_check_read_table(struct pl_checker *checker, struct pl_error *error);
/* Adds to --map what a built-in spec knows without the prefix that all calls have. */
enum pl_status pl_check_complete_map(struct pl_checker *checker, struct pl_error *error);
enum pl_status pl_check_read_empty(struct pl_checker *checker, struct pl_error *error);
/* The spec's operations; and what "empty" looks like. */
enum pl_status pl_check_find_spec(struct pl_checker *checker, struct pl_error *error);
/* --relax, and the factors of --criterion quasi, given or the subject's. Errors: PL_ERR_INPUT. */
enum pl_status pl_check_read_factor(struct pl_checker *checker, struct pl_error *error);

/* --criterion points, --infer-points. Errors: PL_ERR_INPUT. */
enum pl_status pl_check_read_points(struct pl_checker *checker, struct pl_error *error);
/* What --infer-points found, as lines and in the result for machines. */
void pl_check_print_points(struct pl_checker *checker);

/* Puts the tests of `--test @FILE` in its place. Errors: PL_ERR_INPUT. */
enum pl_status pl_check_read_tests(struct pl_checker *checker, struct pl_error *error);
void pl_check_free_lines(struct pl_checker *checker);
/* Builds the golden implementation, if one is given; runs a test on it, serially, so that the trial
 * has its answers; both fail with PL_ERR_INPUT where it is at fault. */
enum pl_status pl_golden_prepare(struct pl_checker *checker, struct pl_error *error);
enum pl_status pl_golden_run(struct pl_checker *checker, struct pl_trial *trial,
                             struct pl_error *error);
/* --criterion quasi: the trial asks it for sequences as it needs them. What its operations are:
 * puts, takes, and what a take answers that finds nothing; goes into `relaxed`. */
void pl_golden_attach(struct pl_checker *checker, struct pl_trial *trial);
enum pl_status pl_golden_try_roles(struct pl_checker *checker, struct pl_error *error);
void pl_golden_release(struct pl_checker *checker);

/* Reads --test, --size, --random, --init, --final. Errors: PL_ERR_INPUT. */
enum pl_status pl_check_make_agenda(struct pl_checker *checker, struct pl_error *error);
/* --observations: opens the file. Errors: PL_ERR_INPUT. */
enum pl_status pl_check_observe(struct pl_checker *checker, struct pl_error *error);
enum pl_status pl_check_run_agenda(struct pl_checker *checker, struct pl_error *error);

/* --clients: more calls like the first that puts, for different values; the test. */
enum pl_status pl_check_add_putters(struct pl_checker *checker, struct pl_error *error);
enum pl_status pl_check_clients_test(struct pl_checker *checker, struct pl_error *error);

/* Runs the program, or the one execution of `choices`. */
enum pl_status pl_check_session(struct pl_checker *checker, struct pl_trial *trial,
                                const uint8_t *choices, struct pl_error *error);
/* Runs the test; what came of it is in the trial and in the session. */
enum pl_status pl_check_trial(struct pl_checker *checker, struct pl_trial *trial,
                              const struct pl_test *test, const char *model,
                              struct pl_error *error);
/* Before its other serial runs. Does nothing where they are not needed. */
enum pl_status pl_check_split(struct pl_checker *checker, struct pl_trial *trial,
                              struct pl_error *error);
void pl_check_count(struct pl_check_sums *out, const struct pl_trial *trial,
                    const struct pl_session *session);
void pl_check_add_sums(struct pl_check_sums *to, const struct pl_check_sums *sums);

/* The smallest test like this one that shows a violation like this one, too, is shown: a bad
 * history with this signature, or without one a finding of this kind, at this place if it is not
 * NULL. */
enum pl_status pl_check_show_smallest(struct pl_checker *checker, const struct pl_item *item,
                                      const struct pl_bad *wrong, enum pl_finding_kind kind,
                                      const char *place, struct pl_error *error);
/* Marks and steps that would let the trial's test pass: objects with mark, operations, write,
 * message; and as lines of the report's ending. Empty: none. */
json_t *pl_check_suggest(struct pl_checker *checker, const struct pl_trial *trial,
                         const struct pl_bad *bad);
/* Was a violation like this one shown before? It counts as shown from now on. */
bool pl_check_is_known(struct pl_checker *checker, const char *signature);
/* A violation that was found and did not show again: the search for it was ended, else an error. */
enum pl_status pl_check_tell(struct pl_checker *checker, const struct pl_test *test,
                             const char *model, enum pl_finding_kind kind, struct pl_error *error);
/* Was a violation of this kind shown of a test like this one, and no call is to blame for this one,
 * so that nothing tells them apart? The test counts as shown from now on. */
bool pl_check_is_alike(struct pl_checker *checker, const struct pl_test *test,
                       const struct pl_bad *bad);
/* A bad history of the trial once more, traced; with --keep-going not if one like it was. */
enum pl_status pl_check_show_bad(struct pl_checker *checker, struct pl_trial *trial,
                                 const struct pl_bad *bad, struct pl_error *error);
/* Where a finding of the session is, and of which kind: the same in every test. The caller frees
 * it. */
char *pl_check_place(struct pl_checker *checker, const struct pl_seen *seen);
/* A race, a crash, an assertion of the session, the one at this place if there is (NULL: the
 * first): as explore shows it. */
enum pl_status pl_check_show_other(struct pl_checker *checker, struct pl_trial *trial,
                                   const char *place, struct pl_error *error);

void pl_check_print_head(const struct pl_checker *checker);
/* The line of a stage: how many tests, what came of them under each model. */
void pl_check_print_stage(const struct pl_checker *checker, const struct pl_stage *stage);
/* What a pass takes for granted, as lines and in the result for machines. */
void pl_check_print_notes(struct pl_checker *checker);
/* A call that waits in every serial run of all tests of a size is no call to check: PL_ERR_INPUT.
 */
enum pl_status pl_check_returns(const struct pl_checker *checker, struct pl_error *error);
/* --stats: what the deciders counted, as lines and in the result for machines. */
void pl_check_print_stats(struct pl_checker *checker);
/* Returns the exit code. */
int pl_check_conclude(struct pl_checker *checker, enum pl_status status,
                      const struct pl_error *error);

#endif
