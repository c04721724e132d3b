/*
 * The two oracles agree: running every interleaving gives the graphs that the axioms
 * accept, under sc and (with store buffers) under tso. Seeds are printed.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include <cmocka.h> /* after the headers it needs */

#include "axiomatic.h"
#include "corpus.h"
#include "interleave.h"
#include "random.h"

enum { RANDOM = 2000, FIRST_SEED = 50000 };

static int load_corpus(void **state)
{
    static struct or_corpus corpus;
    struct pl_error error;
    if (or_corpus_read(&corpus, ORACLE_LITMUS, &error) != PL_OK) {
        print_error("%s\n", error.text);
        return -1;
    }
    *state = &corpus;
    return 0;
}

static int release_corpus(void **state)
{
    or_corpus_release(*state);
    return 0;
}

static void assert_subset(const struct or_program *p, const char *what, const struct or_set *a,
                          const struct or_set *b)
{
    const char *odd = or_set_missing(a, b);
    if (!odd)
        return;
    struct pl_strbuf text;
    pl_strbuf_init(&text);
    or_program_print(p, &text);
    print_error("%s", text.text);
    pl_strbuf_release(&text);
    fail_msg("%s: %s:\n%s", p->name, what, odd);
}

struct totals {
    size_t graphs, blocked;
    unsigned long runs;
};

static void compare(const struct or_program *p, enum or_model model, struct totals *totals)
{
    struct or_result run, axioms;
    or_result_init(&run);
    or_result_init(&axioms);
    totals->runs += or_interleave(p, model, &run);
    or_axiomatic(p, model, NULL, &axioms);
    assert_subset(p, "run, but not by the axioms", &run.graphs, &axioms.graphs);
    assert_subset(p, "by the axioms, but not run", &axioms.graphs, &run.graphs);
    assert_subset(p, "run, but not by the axioms", &run.blocked, &axioms.blocked);
    assert_subset(p, "by the axioms, but not run", &axioms.blocked, &run.blocked);
    assert_subset(p, "run, but not by the axioms", &run.outcomes, &axioms.outcomes);
    assert_subset(p, "by the axioms, but not run", &axioms.outcomes, &run.outcomes);
    assert_int_equal(axioms.repeated, 0);
    totals->graphs += run.graphs.count;
    totals->blocked += run.blocked.count;
    or_result_release(&run);
    or_result_release(&axioms);
}

static void compare_corpus(const struct or_corpus *corpus, enum or_model model)
{
    struct totals totals = {0};
    for (size_t i = 0; i < corpus->count; i++)
        compare(&corpus->programs[i], model, &totals);
    print_message("%zu graphs, %zu blocked, %lu runs\n", totals.graphs, totals.blocked,
                  totals.runs);
}

static void compare_random(enum or_model model, uint64_t first)
{
    struct totals totals = {0};
    print_message("seeds %lu to %lu\n", (unsigned long)first, (unsigned long)first + RANDOM - 1);
    for (uint64_t i = 0; i < RANDOM; i++) {
        struct or_program p;
        struct or_random_options shape = or_random_shape(first + i);
        or_random_program(&p, &shape);
        compare(&p, model, &totals);
    }
    print_message("%zu graphs, %zu blocked, %lu runs\n", totals.graphs, totals.blocked,
                  totals.runs);
    assert_true(totals.blocked > RANDOM / 20); /* locks that block do come up */
}

static void interleavings_and_axioms_agree_on_the_corpus_sc(void **state)
{
    compare_corpus(*state, OR_MODEL_SC);
}

static void interleavings_and_axioms_agree_on_random_programs_sc(void **state)
{
    (void)state;
    compare_random(OR_MODEL_SC, FIRST_SEED);
}

static void store_buffers_and_axioms_agree_on_the_corpus_tso(void **state)
{
    compare_corpus(*state, OR_MODEL_TSO);
}

static void store_buffers_and_axioms_agree_on_random_programs_tso(void **state)
{
    (void)state;
    compare_random(OR_MODEL_TSO, FIRST_SEED + RANDOM);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(interleavings_and_axioms_agree_on_the_corpus_sc),
        cmocka_unit_test(interleavings_and_axioms_agree_on_random_programs_sc),
        cmocka_unit_test(store_buffers_and_axioms_agree_on_the_corpus_tso),
        cmocka_unit_test(store_buffers_and_axioms_agree_on_random_programs_tso),
    };
    return cmocka_run_group_tests(tests, load_corpus, release_corpus);
}
