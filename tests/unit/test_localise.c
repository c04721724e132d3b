/* Localisation with an object that is only told of: what is claimed of the test that comes out. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h> /* after the headers it needs */

#include "shrink/localise.h"
#include "spec/spec.h"

/* Two takes at the same time of something that was put are wrong, as a take after them shows;
 * `alone` is the answer to a test in which one call is alone. */
static enum pl_answer_of_test ask(void *context, const struct pl_test *test)
{
    const enum pl_answer_of_test *alone = context;
    unsigned together = pl_test_count(test) - test->init - test->final;
    if (together < 2)
        return *alone;
    return test->init && test->final ? PL_TEST_WRONG : PL_TEST_RIGHT;
}

static void add(struct pl_history *h, unsigned thread, uint32_t call, uint32_t ret, uint8_t code,
                pl_value value)
{
    *pl_history_add(h) = (struct pl_operation){.thread = thread,
                                               .call = call,
                                               .ret = ret,
                                               .code = code,
                                               .argument = {code == PL_PUT ? value : 0},
                                               .result = code == PL_PUT ? PL_NIL : value};
}

/* The same whatever was put, and whatever comes after. */
static enum pl_answer_of_test ask_takes(void *context, const struct pl_test *test)
{
    const enum pl_answer_of_test *alone = context;
    return pl_test_count(test) - test->init - test->final < 2 ? *alone : PL_TEST_WRONG;
}

static void localise(enum pl_answer_of_test (*asked)(void *, const struct pl_test *),
                     enum pl_answer_of_test alone, struct pl_located *out)
{
    const uint16_t call[] = {0, asked == ask ? 1 : 2, 2, 2};
    const struct pl_operation meant[] = {
        {.code = PL_PUT, .argument = {1}}, {.code = PL_PUT, .argument = {2}}, {.code = PL_TAKE}};
    struct pl_history h;
    struct pl_explanation explanation;
    pl_history_init(&h);
    h.threads = 2;
    add(&h, 0, 0, 1, PL_PUT, 1);
    if (asked == ask)
        add(&h, 0, 2, 3, PL_PUT, 2);
    add(&h, 0, 4, 6, PL_TAKE, 1);
    add(&h, 1, 5, 7, PL_TAKE, 1);
    pl_history_finish(&h);
    struct pl_case c = {.spec = &pl_spec_fifo, .history = &h};
    pl_explain(&c, NULL, 1, &explanation);
    pl_localise(&(struct pl_localise){.history = &c,
                                      .explanation = &explanation,
                                      .call = call,
                                      .operation = meant,
                                      .calls = 3,
                                      .ask = asked,
                                      .context = &alone},
                out);
    pl_explanation_release(&explanation);
    pl_history_release(&h);
}

static void test_minimal_if_all_is_known(void **state)
{
    struct pl_located located;
    (void)state;
    localise(ask, PL_TEST_RIGHT, &located);
    assert_true(located.found);
    assert_true(located.minimal);
    assert_int_equal(pl_test_count(&located.test), 4);
    assert_int_equal(located.test.init, 1);
}

static void test_not_minimal_if_something_is_open(void **state)
{
    struct pl_located located;
    (void)state;
    localise(ask, PL_TEST_OPEN, &located);
    assert_true(located.found);
    assert_false(located.minimal);
}

/* What was open stays open when the same is asked again of a test that became smaller. */
static void test_not_minimal_if_it_was_open_before(void **state)
{
    struct pl_located located;
    (void)state;
    localise(ask_takes, PL_TEST_OPEN, &located);
    assert_true(located.found);
    assert_int_equal(located.test.init, 0);
    assert_false(located.minimal);
    localise(ask_takes, PL_TEST_RIGHT, &located);
    assert_true(located.minimal);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_minimal_if_all_is_known),
        cmocka_unit_test(test_not_minimal_if_something_is_open),
        cmocka_unit_test(test_not_minimal_if_it_was_open_before),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
