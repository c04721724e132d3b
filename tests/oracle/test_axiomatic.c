/*
 * Claims about the axiomatic oracle: what the literature says of the litmus tests, and
 * theorems of the papers on random programs (the seeds are printed).
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include <cmocka.h> /* after the headers it needs */

#include "axiomatic.h"
#include "corpus.h"
#include "random.h"

enum { RANDOM = 1000, FIRST_SEED = 20000 };

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

static void answer(const struct or_program *p, enum or_model model, struct or_result *result)
{
    or_result_init(result);
    or_axiomatic(p, model, NULL, result);
}

static void show(const struct or_program *p)
{
    struct pl_strbuf text;
    pl_strbuf_init(&text);
    or_program_print(p, &text);
    print_error("%s", text.text);
    pl_strbuf_release(&text);
}

/* Fails, and shows the program and the graph, unless a is a subset of b. */
static void assert_subset(const struct or_program *p, const char *what, const struct or_set *a,
                          const struct or_set *b)
{
    const char *odd = or_set_missing(a, b);
    if (!odd)
        return;
    show(p);
    fail_msg("%s: %s:\n%s", p->name, what, odd);
}

static void assert_within(const struct or_program *p, const char *what, const struct or_result *a,
                          const struct or_result *b)
{
    assert_subset(p, what, &a->graphs, &b->graphs);
    assert_subset(p, what, &a->blocked, &b->blocked);
    assert_subset(p, what, &a->outcomes, &b->outcomes);
}

static void the_corpus_is_large(void **state)
{
    const struct or_corpus *corpus = *state;
    int said[OR_MODELS][OR_FORBIDDEN + 1] = {0};
    for (size_t i = 0; i < corpus->count; i++)
        for (int m = 0; m < OR_MODELS; m++)
            said[m][corpus->programs[i].verdict[m]]++;
    assert_true(corpus->count >= 150);
    for (int m = 0; m < OR_MODELS; m++) {
        print_message("%s: %d allowed, %d forbidden\n", or_model_name((enum or_model)m),
                      said[m][OR_ALLOWED], said[m][OR_FORBIDDEN]);
        assert_int_equal(said[m][OR_UNSAID], 0);
    }
}

/* All mismatches are shown before the test fails. */
static void the_oracle_agrees_with_the_literature(void **state)
{
    const struct or_corpus *corpus = *state;
    int wrong = 0;
    for (size_t i = 0; i < corpus->count; i++) {
        const struct or_program *p = &corpus->programs[i];
        for (int m = 0; m < OR_MODELS; m++) {
            struct or_result r;
            answer(p, (enum or_model)m, &r);
            if (r.satisfied != (p->verdict[m] == OR_ALLOWED)) {
                print_error("%s: %s: %s here\n", p->name, or_model_name((enum or_model)m),
                            r.satisfied ? "allowed" : "forbidden");
                wrong++;
            }
            if (p->graphs[m] >= 0 && r.graphs.count != (size_t)p->graphs[m]) {
                print_error("%s: %s: %zu graphs here\n", p->name, or_model_name((enum or_model)m),
                            r.graphs.count);
                wrong++;
            }
            or_result_release(&r);
        }
    }
    assert_int_equal(wrong, 0);
}

static void every_candidate_comes_up_once(void **state)
{
    const struct or_corpus *corpus = *state;
    for (size_t i = 0; i < corpus->count; i++) {
        for (int m = 0; m < OR_MODELS; m++) {
            struct or_result r;
            answer(&corpus->programs[i], (enum or_model)m, &r);
            assert_int_equal(r.repeated, 0);
            or_result_release(&r);
        }
    }
}

/* How many candidates there are without shortcuts, at most: every operation that writes
 * as a source of every read of its place, every order of the writes of a place. */
static double candidates(const struct or_program *p)
{
    double product = 1;
    for (int place = 0; place < p->locs + p->locks; place++) {
        int reads = 0, writes = 0;
        for (int t = 0; t < p->threads; t++) {
            for (int i = 0; i < p->thread[t].count; i++) {
                const struct or_op *op = &p->thread[t].ops[i];
                bool lock = or_holds_lock(op->kind);
                if (op->kind == OR_FENCE || !or_makes_event(op->kind) ||
                    op->loc + (lock ? p->locs : 0) != place)
                    continue;
                reads += or_reads(op->kind) || op->kind == OR_LOCK;
                writes += lock || or_may_write(op->kind);
            }
        }
        for (int i = 0; i < reads; i++)
            product *= writes + 1;
        for (int i = 2; i <= writes; i++)
            product *= i;
    }
    return product;
}

static void compare_shortcuts(const struct or_program *p)
{
    for (int m = 0; m < OR_MODELS; m++) {
        struct or_result with, without;
        answer(p, (enum or_model)m, &with);
        or_result_init(&without);
        or_axiomatic(p, (enum or_model)m, &(struct or_axiomatic_options){.no_shortcuts = true},
                     &without);
        assert_within(p, "only with shortcuts", &with, &without);
        assert_within(p, "only without shortcuts", &without, &with);
        or_result_release(&with);
        or_result_release(&without);
    }
}

/* S1 to S3 of axiomatic.c lose nothing. Where they save most they cannot be done without. */
static void shortcuts_lose_nothing(void **state)
{
    const struct or_corpus *corpus = *state;
    const double most = 20000;
    int tried = 0;
    for (size_t i = 0; i < corpus->count; i++) {
        if (candidates(&corpus->programs[i]) > most)
            continue;
        compare_shortcuts(&corpus->programs[i]);
        tried++;
    }
    for (uint64_t i = 0; i < RANDOM; i++) {
        struct or_program p;
        or_random_program(&p, &(struct or_random_options){.seed = FIRST_SEED + i, .max_events = 6});
        if (candidates(&p) > most)
            continue;
        compare_shortcuts(&p);
        tried++;
    }
    print_message("%d programs\n", tried);
    assert_true(tried > RANDOM);
}

/* sc ⊆ tso: less is kept in order. tso ⊆ rc11: the compilation of the orders to x86 that
 * models.h describes is correct (RC11, PLDI 2017, the theorem on x86-TSO). */
static void the_models_include_each_other(void **state)
{
    (void)state;
    print_message("seeds %d to %d\n", FIRST_SEED, FIRST_SEED + RANDOM - 1);
    size_t counts[OR_MODELS] = {0};
    for (uint64_t i = 0; i < RANDOM; i++) {
        struct or_program p;
        struct or_random_options shape = or_random_shape(FIRST_SEED + i);
        or_random_program(&p, &shape);
        struct or_result r[OR_MODELS];
        for (int m = 0; m < OR_MODELS; m++) {
            answer(&p, (enum or_model)m, &r[m]);
            counts[m] += r[m].graphs.count;
        }
        assert_within(&p, "sc but not tso", &r[OR_MODEL_SC], &r[OR_MODEL_TSO]);
        assert_within(&p, "tso but not rc11", &r[OR_MODEL_TSO], &r[OR_MODEL_RC11]);
        for (int m = 0; m < OR_MODELS; m++)
            or_result_release(&r[m]);
    }
    print_message("graphs: sc %zu, tso %zu, rc11 %zu\n", counts[0], counts[1], counts[2]);
    assert_true(counts[0] < counts[1] && counts[1] < counts[2]);
}

/* With seq_cst alone, psc has sb, rf, mo and rb: rc11 and tso are sc. */
static void seq_cst_programs_are_sequentially_consistent(void **state)
{
    (void)state;
    print_message("seeds %d to %d\n", FIRST_SEED, FIRST_SEED + RANDOM - 1);
    for (uint64_t i = 0; i < RANDOM; i++) {
        struct or_program p;
        or_random_program(
            &p, &(struct or_random_options){.seed = FIRST_SEED + i, .orders = 1u << OR_SC});
        struct or_result sc;
        answer(&p, OR_MODEL_SC, &sc);
        for (int m = OR_MODEL_TSO; m < OR_MODELS; m++) {
            struct or_result r;
            answer(&p, (enum or_model)m, &r);
            assert_within(&p, "not sc", &r, &sc);
            assert_within(&p, "lost", &sc, &r);
            or_result_release(&r);
        }
        or_result_release(&sc);
    }
}

static bool put_fences(const struct or_program *p, struct or_program *out)
{
    *out = *p;
    for (int t = 0; t < p->threads; t++) {
        struct or_thread *to = &out->thread[t];
        to->count = 0;
        for (int i = 0; i < p->thread[t].count; i++) {
            if (to->count + 2 > OR_OPS)
                return false;
            if (i > 0)
                to->ops[to->count++] = (struct or_op){.kind = OR_FENCE,
                                                      .order = OR_SC,
                                                      .dest = -1,
                                                      .value.reg = -1,
                                                      .expected.reg = -1};
            to->ops[to->count++] = p->thread[t].ops[i];
        }
    }
    struct pl_error error;
    return or_program_check(out, &error) == PL_OK;
}

/* RC11, PLDI 2017: seq_cst fences between any two accesses of a thread restore sc. */
static void fences_everywhere_restore_sequential_consistency(void **state)
{
    (void)state;
    int tried = 0;
    print_message("seeds %d to %d\n", FIRST_SEED, FIRST_SEED + RANDOM - 1);
    for (uint64_t i = 0; i < RANDOM; i++) {
        struct or_program p, fenced;
        or_random_program(&p, &(struct or_random_options){.seed = FIRST_SEED + i,
                                                          .kinds = OR_KINDS_PLAIN | OR_KINDS_RMW |
                                                                   1u << OR_LOCK});
        if (!put_fences(&p, &fenced))
            continue;
        tried++;
        struct or_result sc;
        answer(&fenced, OR_MODEL_SC, &sc);
        for (int m = OR_MODEL_TSO; m < OR_MODELS; m++) {
            struct or_result r;
            answer(&fenced, (enum or_model)m, &r);
            assert_within(&fenced, "not sc", &r, &sc);
            or_result_release(&r);
        }
        or_result_release(&sc);
    }
    assert_true(tried > RANDOM / 2);
}

static bool strengthen(struct or_program *p)
{
    bool any = false;
    for (int t = 0; t < p->threads; t++) {
        for (int i = 0; i < p->thread[t].count; i++) {
            struct or_op *op = &p->thread[t].ops[i];
            if ((i + t) % 2 || op->order == OR_SC || or_holds_lock(op->kind) ||
                !or_makes_event(op->kind))
                continue;
            any = true;
            if (op->order != OR_RLX)
                op->order = OR_SC;
            else
                op->order = op->kind == OR_LOAD ? OR_ACQ : OR_REL;
        }
    }
    return any;
}

/* A stronger order never adds an execution (RC11, PLDI 2017: the model is monotone). */
static void stronger_orders_allow_less(void **state)
{
    (void)state;
    int tried = 0;
    print_message("seeds %d to %d\n", FIRST_SEED, FIRST_SEED + RANDOM - 1);
    for (uint64_t i = 0; i < RANDOM; i++) {
        struct or_program p, strong;
        struct or_random_options shape = or_random_shape(FIRST_SEED + i);
        or_random_program(&p, &shape);
        strong = p;
        if (!strengthen(&strong))
            continue;
        tried++;
        for (int m = OR_MODEL_TSO; m < OR_MODELS; m++) {
            struct or_result a, b;
            answer(&p, (enum or_model)m, &a);
            answer(&strong, (enum or_model)m, &b);
            assert_within(&strong, "only with stronger orders", &b, &a);
            or_result_release(&a);
            or_result_release(&b);
        }
    }
    assert_true(tried > RANDOM / 2);
}

/* DRF: without races under sc, plain accesses have no other executions under rc11. */
static void race_free_programs_keep_their_outcomes(void **state)
{
    (void)state;
    int tried = 0;
    print_message("seeds %d to %d\n", FIRST_SEED, FIRST_SEED + 4 * RANDOM - 1);
    for (uint64_t i = 0; i < 4 * RANDOM; i++) {
        struct or_program p;
        or_random_program(&p, &(struct or_random_options){.seed = FIRST_SEED + i,
                                                          .max_threads = 2,
                                                          .locks = 1,
                                                          .kinds = OR_KINDS_PLAIN | 1u << OR_LOCK,
                                                          .orders = 1u << OR_NA});
        struct or_result sc, rc11;
        answer(&p, OR_MODEL_SC, &sc);
        answer(&p, OR_MODEL_RC11, &rc11);
        if (!sc.racy) {
            tried++;
            assert_within(&p, "not sc, though there is no race", &rc11, &sc);
            assert_false(rc11.racy);
        }
        or_result_release(&sc);
        or_result_release(&rc11);
    }
    print_message("%d of them race free\n", tried);
    assert_true(tried > 100);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_corpus_is_large),
        cmocka_unit_test(the_oracle_agrees_with_the_literature),
        cmocka_unit_test(every_candidate_comes_up_once),
        cmocka_unit_test(shortcuts_lose_nothing),
        cmocka_unit_test(the_models_include_each_other),
        cmocka_unit_test(seq_cst_programs_are_sequentially_consistent),
        cmocka_unit_test(fences_everywhere_restore_sequential_consistency),
        cmocka_unit_test(stronger_orders_allow_less),
        cmocka_unit_test(race_free_programs_keep_their_outcomes),
    };
    return cmocka_run_group_tests(tests, load_corpus, release_corpus);
}
