/*
 * Symmetry against the explorer without it: of the executions that differ only in the names of
 * twins, threads that do the same but for values of their own, one is explored, and none that is
 * not there. The number
 * of random programs is the argument (500 without one); seeds are printed.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#include <cmocka.h> /* after the headers it needs */

#include "explorer.h"
#include "random.h"

enum { FIRST_SEED = 1 };
static unsigned long programs = 500, first = FIRST_SEED;
static unsigned long without, with, classes, owned, astray;

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

static void compare(const struct or_program *p, enum or_model model, int twins)
{
    struct or_result all, fewer;
    or_result_init(&all);
    or_result_init(&fewer);
    struct or_explored a = or_explore_twins(p, model, twins, false, &all);
    struct or_explored b = or_explore_twins(p, model, twins, true, &fewer);
    if (a.failure || b.failure)
        fail_msg("%s under %s: %s", p->name, or_model_name(model),
                 a.failure ? a.failure : b.failure);
    if (b.astray) {
        assert_int_equal(model, OR_MODEL_RC11); /* nowhere else */
        astray++;
    } else {
        assert_subset(p, model, "lost", &all.graphs, &fewer.graphs);
        assert_subset(p, model, "invented", &fewer.graphs, &all.graphs);
        assert_subset(p, model, "blocked, lost", &all.blocked, &fewer.blocked);
        assert_subset(p, model, "blocked, invented", &fewer.blocked, &all.blocked);
        without += a.executions;
        with += b.executions;
        classes += all.graphs.count;
    }
    or_result_release(&all);
    or_result_release(&fewer);
}

/* The twins put different values in, which nobody looks into: they are renamed with their threads.
 */
static bool give_own_values(struct or_program *p, int twins)
{
    for (int t = 0; t < p->threads; t++)
        for (int k = 0; k < p->thread[t].count; k++)
            if (p->thread[t].ops[k].kind == OR_FADD)
                return false; /* it adds them up */
    for (int t = 0; t < twins; t++)
        for (int k = 0; k < p->thread[t].count; k++) {
            struct or_op *op = &p->thread[t].ops[k];
            bool puts = op->kind == OR_STORE || op->kind == OR_XCHG || op->kind == OR_CAS;
            if (puts && op->value.reg < 0)
                op->value.constant = OR_OWN * (t + 1) + op->value.constant;
        }
    return true;
}

static void one_of_each_class_is_explored(void **state)
{
    (void)state;
    for (unsigned long i = 0; i < programs; i++) {
        struct or_program p;
        struct or_random_options o = or_random_shape(first + i);
        int twins = 2 + (int)(i % 3 == 0);
        o.min_threads = twins;
        o.max_threads = 4;
        o.max_events = 6 + (int)(i % 3);
        or_random_program(&p, &o);
        while (p.thread[0].count > 3)
            p.thread[0].count--;
        for (int t = 1; t < twins; t++)
            p.thread[t] = p.thread[0];
        owned += i % 2 && give_own_values(&p, twins);
        for (int model = 0; model < OR_MODELS; model++)
            compare(&p, (enum or_model)model, twins);
    }
    print_message(
        "%lu random programs from seed %lu (%lu where twins have values of their own): %lu "
        "executions, %lu with symmetry, %lu classes; %lu times it cannot be used\n",
        programs, first, owned, without, with, classes, astray);
    assert_true(with < without && with == classes && owned > programs / 8);
    assert_true(astray < programs / 20);
}

/* The second thread may read 3 and store x; the third reads that and writes 1 before 3 in co; the
 * first reads 1. Its read is after that of the second, by what it reads before it. */
static void an_order_against_the_past_is_noticed(void **state)
{
    (void)state;
    static const char text[] = "against\n"
                               "thread: r0 = load y rlx; store x 1 rlx\n"
                               "thread: r0 = load y rlx; store x 1 rlx\n"
                               "thread: r0 = load x rlx; store y 1 rlx\n"
                               "thread: store y 3 rlx\n"
                               "outcome: 0:r0=1 1:r0=3\n";
    struct or_program p;
    struct pl_error error;
    if (or_program_parse(&p, "against", text, &error) != PL_OK)
        fail_msg("%s", error.text);
    for (int model = 0; model < OR_MODELS; model++) {
        unsigned long before = astray;
        compare(&p, (enum or_model)model, 2);
        assert_int_equal(astray - before, model == OR_MODEL_RC11);
    }
}

int main(int argc, char **argv)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(one_of_each_class_is_explored),
        cmocka_unit_test(an_order_against_the_past_is_noticed),
    };
    if (argc > 1)
        programs = strtoul(argv[1], NULL, 10);
    if (argc > 2)
        first = strtoul(argv[2], NULL, 10);
    return cmocka_run_group_tests(tests, NULL, NULL);
}
