/*
 * The explorer against the axioms: the same set of graphs, complete and blocked, and every
 * complete graph once; on the corpus and on random programs, under each model. The number
 * of random programs is the argument (500 without one); seeds are printed.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h> /* after the headers it needs */

#include "axiomatic.h"
#include "corpus.h"
#include "explore/trust.h"
#include "explorer.h"
#include "random.h"

enum { FIRST_SEED = 1 };
static unsigned long programs = 500;

static void assert_subset(const struct or_program *p, enum or_model model, const char *what,
                          const struct or_set *a, const struct or_set *b)
{
    const char *odd = or_set_missing(a, b);
    if (!odd)
        return;
    struct pl_strbuf text;
    pl_strbuf_init(&text);
    or_program_print(p, &text);
    print_error("%s", text.text);
    pl_strbuf_release(&text);
    fail_msg("%s under %s: %s:\n%s", p->name, or_model_name(model), what, odd);
}

typedef struct or_explored explore_function(const struct or_program *, enum or_model,
                                            struct or_result *);

static void compare(const struct or_program *p, enum or_model model, explore_function *explore)
{
    struct or_result axioms, explored;
    or_result_init(&axioms);
    or_result_init(&explored);
    or_axiomatic(p, model, NULL, &axioms);
    struct or_explored counts = explore(p, model, &explored);
    if (counts.failure)
        fail_msg("%s under %s: %s", p->name, or_model_name(model), counts.failure);
    assert_subset(p, model, "not explored", &axioms.graphs, &explored.graphs);
    assert_subset(p, model, "not consistent", &explored.graphs, &axioms.graphs);
    assert_subset(p, model, "blocked, not explored", &axioms.blocked, &explored.blocked);
    assert_subset(p, model, "blocked, not consistent", &explored.blocked, &axioms.blocked);
    if (counts.executions != explored.graphs.count)
        fail_msg("%s under %s: %lu executions for %zu graphs", p->name, or_model_name(model),
                 counts.executions, explored.graphs.count);
    or_result_release(&axioms);
    or_result_release(&explored);
}

static void every_graph_of_the_corpus_once(void **state)
{
    (void)state;
    struct or_corpus corpus;
    struct pl_error error;
    if (or_corpus_read(&corpus, ORACLE_LITMUS, &error) != PL_OK)
        fail_msg("%s", error.text);
    assert_true(corpus.count >= 150);
    for (size_t i = 0; i < corpus.count; i++)
        for (int model = 0; model < OR_MODELS; model++)
            compare(&corpus.programs[i], (enum or_model)model, or_explore);
    print_message("%zu litmus tests, each under three models\n", corpus.count);
    or_corpus_release(&corpus);
}

static void every_graph_of_random_programs_once(void **state)
{
    (void)state;
    for (unsigned long i = 0; i < programs; i++) {
        struct or_program p;
        struct or_random_options o = {.seed = FIRST_SEED + i, .max_events = 5 + (int)(i % 4)};
        or_random_program(&p, &o);
        for (int model = 0; model < OR_MODELS; model++)
            compare(&p, (enum or_model)model, or_explore);
    }
    print_message("%lu random programs from seed %d, each under three models\n", programs,
                  FIRST_SEED);
}

/* Where happens-before goes by locks, psc by seq_cst accesses and fences, and both by each other.
 */
static void every_graph_with_locks_and_seq_cst_once(void **state)
{
    (void)state;
    for (unsigned long i = 0; i < programs; i++) {
        struct or_program p;
        struct or_random_options o = {.seed = FIRST_SEED + i,
                                      .min_threads = 3,
                                      .max_threads = 3 + (int)(i % 2),
                                      .max_events = 9 + (int)(i % 3),
                                      .locks = 1,
                                      .kinds = OR_KINDS_PLAIN | 1u << OR_LOCK |
                                               (i % 4 ? 0 : 1u << OR_FENCE),
                                      .orders = 1u << OR_SC | (i % 3 ? 0 : 1u << OR_RLX)};
        or_random_program(&p, &o);
        compare(&p, OR_MODEL_RC11, or_explore);
    }
}

static void every_graph_in_pieces_once(void **state)
{
    (void)state;
    for (unsigned long i = 0; i < programs / 5; i++) {
        struct or_program p;
        struct or_random_options o = {.seed = FIRST_SEED + i, .max_events = 5 + (int)(i % 4)};
        or_random_program(&p, &o);
        for (int model = 0; model < OR_MODELS; model++)
            compare(&p, (enum or_model)model, or_explore_in_pieces);
    }
}

/* Samples are consistent executions and, given time, all of them; by priorities not always all,
 * because a change of priority is rare, but a good part. */
static void samples_are_the_executions(void **state)
{
    (void)state;
    enum { PROGRAMS = 25, SAMPLES = 3000 };
    unsigned long graphs = 0, by_pct = 0;
    for (unsigned long i = 0; i < PROGRAMS; i++) {
        struct or_program p;
        struct or_random_options o = {.seed = FIRST_SEED + i, .max_events = 5};
        or_random_program(&p, &o);
        for (int model = 0; model < OR_MODELS; model++) {
            struct or_result axioms, random, pct;
            or_result_init(&axioms);
            or_result_init(&random);
            or_result_init(&pct);
            or_axiomatic(&p, (enum or_model)model, NULL, &axioms);
            struct or_explored a =
                or_sample(&p, (enum or_model)model, SAMPLES, PL_SAMPLE_RANDOM, &random);
            struct or_explored b =
                or_sample(&p, (enum or_model)model, SAMPLES, PL_SAMPLE_PCT, &pct);
            assert_null(a.failure);
            assert_null(b.failure);
            assert_subset(&p, (enum or_model)model, "sampled, not consistent", &random.graphs,
                          &axioms.graphs);
            assert_subset(&p, (enum or_model)model, "pct, not consistent", &pct.graphs,
                          &axioms.graphs);
            assert_subset(&p, (enum or_model)model, "not sampled", &axioms.graphs, &random.graphs);
            assert_subset(&p, (enum or_model)model, "blocked, not sampled", &axioms.blocked,
                          &random.blocked);
            graphs += axioms.graphs.count;
            by_pct += pct.graphs.count;
            or_result_release(&axioms);
            or_result_release(&random);
            or_result_release(&pct);
        }
    }
    print_message("%lu graphs, %lu of them by pct\n", graphs, by_pct);
    assert_true(by_pct * 10 >= graphs * 9);
}

/* The estimate by walks is right on average: over many walks, and more so over many programs. */
static void walks_estimate_the_number_of_executions(void **state)
{
    (void)state;
    enum { PROGRAMS = 25, WALKS = 2000 };
    double estimated = 0, there = 0;
    for (unsigned long i = 0; i < PROGRAMS; i++) {
        struct or_program p;
        struct or_random_options o = {.seed = FIRST_SEED + i, .max_events = 6};
        or_random_program(&p, &o);
        for (int model = 0; model < OR_MODELS; model++) {
            struct or_result result;
            or_result_init(&result);
            double count = (double)or_explore(&p, (enum or_model)model, &result).executions;
            double guess = or_estimate(&p, (enum or_model)model, WALKS);
            or_result_release(&result);
            if (guess < 0.6 * count || guess > 1.6 * count)
                fail_msg("%s under %s: %.0f executions, estimated %.1f", p.name,
                         or_model_name((enum or_model)model), count, guess);
            estimated += guess;
            there += count;
        }
    }
    print_message("%.0f executions, estimated %.0f\n", there, estimated);
    assert_true(estimated > 0.95 * there && estimated < 1.05 * there);
}

/* One thread, one store: one execution. Counted again, it must be noticed. */
static void a_repeated_execution_is_a_failure(void **state)
{
    (void)state;
    struct pl_trust *x = pl_trust_new(&pl_model_sc);
    const struct pl_trust_access store = {.key = 1, .size = 4};
    pl_trust_prove(x);
    for (int run = 0; run < 2; run++) {
        assert_null(pl_trust_failure(x));
        pl_trust_begin(x);
        (void)pl_trust_next(x, 1);
        pl_trust_write(x, &store, 1);
        assert_false(pl_trust_end(x, true));
    }
    assert_non_null(pl_trust_failure(x));
    assert_non_null(strstr(pl_trust_failure(x), "twice"));
    pl_trust_free(x);
}

/* One run of: y = 1; read x ∥ x = 1. Who read x when, as the number of the event; -1: it failed. */
static int when_x_is_read(struct pl_trust *x)
{
    const struct pl_trust_access write_y = {.thread = 0, .key = 1, .size = 4};
    const struct pl_trust_access read_x = {.thread = 0, .key = 2, .size = 4};
    const struct pl_trust_access write_x = {.thread = 1, .key = 2, .size = 4};
    int made = 0, steps = 0, when = -1;
    uint64_t enabled = 3;
    for (pl_trust_begin(x); enabled; steps++) {
        if (pl_trust_next(x, enabled) == 1) {
            pl_trust_write(x, &write_x, 1);
            enabled &= 1;
        } else if (!made++) {
            pl_trust_write(x, &write_y, 1);
        } else {
            (void)pl_trust_read(x, &read_x);
            when = steps;
            enabled &= 2;
        }
    }
    return pl_trust_failure(x) ? -1 : when;
}

static void who_only_reads_comes_last(void **state)
{
    (void)state;
    struct pl_trust *x = pl_trust_new(&pl_model_rc11);
    assert_int_equal(when_x_is_read(x), 1);
    assert_true(pl_trust_learn(x));
    assert_int_equal(when_x_is_read(x), 2);
    assert_false(pl_trust_learn(x)); /* once */
    assert_true(pl_trust_end(x, true));
    assert_int_equal(when_x_is_read(x), 2); /* the other value */
    assert_false(pl_trust_end(x, true));
    assert_int_equal(pl_trust_counts(x)->executions, 2);
    pl_trust_restart(x, NULL);
    assert_int_equal(when_x_is_read(x), 1);
    pl_trust_free(x);
}

int main(int argc, char **argv)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_graph_of_the_corpus_once),
        cmocka_unit_test(every_graph_of_random_programs_once),
        cmocka_unit_test(every_graph_with_locks_and_seq_cst_once),
        cmocka_unit_test(every_graph_in_pieces_once),
        cmocka_unit_test(a_repeated_execution_is_a_failure),
        cmocka_unit_test(who_only_reads_comes_last),
        cmocka_unit_test(samples_are_the_executions),
        cmocka_unit_test(walks_estimate_the_number_of_executions),
    };
    if (argc > 1)
        programs = strtoul(argv[1], NULL, 10);
    return cmocka_run_group_tests(tests, NULL, NULL);
}
