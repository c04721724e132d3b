/*
 * The explorer with a bound of preemptions against full enumeration: of the graphs that some
 * interleaving with at most N preemptions has, each once, complete and blocked, and no others. The
 * number of random programs is the argument (500 without one); seeds are printed.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#include <cmocka.h> /* after the headers it needs */

#include "explore/preemptions.h"
#include "explorer.h"
#include "interleave.h"
#include "random.h"

enum { FIRST_SEED = 1, MOST = 3 };
static unsigned long programs = 500, first = FIRST_SEED;

static void assert_subset(const struct or_program *p, int most, const char *what,
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
    fail_msg("%s, at most %d preemptions: %s:\n%s", p->name, most, what, odd);
}

static void compare(const struct or_program *p, int most, bool with_main)
{
    struct or_result within, all, explored;
    or_result_init(&within);
    or_result_init(&all);
    or_result_init(&explored);
    (void)or_interleave_bounded(p, most, &within);
    (void)or_interleave(p, OR_MODEL_SC, &all);
    struct or_explored counts = or_explore_bounded(p, most, with_main, &explored);
    if (counts.failure)
        fail_msg("%s, at most %d preemptions: %s", p->name, most, counts.failure);
    assert_subset(p, most, "not explored", &within.graphs, &explored.graphs);
    assert_subset(p, most, "beyond the bound", &explored.graphs, &within.graphs);
    assert_subset(p, most, "blocked, not explored", &within.blocked, &explored.blocked);
    assert_subset(p, most, "blocked, beyond the bound", &explored.blocked, &within.blocked);
    if (counts.executions != explored.graphs.count)
        fail_msg("%s, at most %d preemptions: %lu executions for %zu graphs", p->name, most,
                 counts.executions, explored.graphs.count);
    if (!counts.beyond && within.graphs.count < all.graphs.count)
        fail_msg("%s, at most %d preemptions: said to be all", p->name, most);
    or_result_release(&within);
    or_result_release(&all);
    or_result_release(&explored);
}

static void executions_within_the_bound_are_explored_once(void **state)
{
    (void)state;
    for (unsigned long i = 0; i < programs; i++) {
        struct or_program p;
        struct or_random_options o = or_random_shape(first + i);
        o.max_events = 5 + (int)(i % 4);
        or_random_program(&p, &o);
        for (int most = 0; most <= MOST; most++)
            for (int with_main = 0; with_main < 2; with_main++)
                compare(&p, most, with_main);
    }
    print_message("%lu random programs from seed %lu, bounds 0 to %d\n", programs, first, MOST);
}

int main(int argc, char **argv)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(executions_within_the_bound_are_explored_once),
    };
    if (argc > 1)
        programs = strtoul(argv[1], NULL, 10);
    if (argc > 2)
        first = strtoul(argv[2], NULL, 10);
    return cmocka_run_group_tests(tests, NULL, NULL);
}
