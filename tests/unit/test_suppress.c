/* The suppression file means what ThreadSanitizer's manual says. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <string.h>

#include "report/suppress.h"

static void a_pattern_fits_anywhere_in_the_name(void **state)
{
    (void)state;
    assert_true(pl_suppress_fits("push", "queue::push_back"));
    assert_false(pl_suppress_fits("push", "queue::pop"));
    assert_false(pl_suppress_fits("push", ""));
    assert_true(pl_suppress_fits("src/q.c", "/home/me/src/q.c"));
}

static void anchors_bind_to_the_ends(void **state)
{
    (void)state;
    assert_true(pl_suppress_fits("^push", "push_back"));
    assert_false(pl_suppress_fits("^push", "queue::push"));
    assert_true(pl_suppress_fits("push$", "queue::push"));
    assert_true(pl_suppress_fits("push$", "push_and_push"));
    assert_false(pl_suppress_fits("push$", "push_back"));
    assert_true(pl_suppress_fits("^push$", "push"));
    assert_false(pl_suppress_fits("^push$", "push_push"));
}

static void a_star_stands_for_anything(void **state)
{
    (void)state;
    assert_true(pl_suppress_fits("queue::*back", "queue::push_back"));
    assert_true(pl_suppress_fits("^queue*back$", "queue::push_back"));
    assert_false(pl_suppress_fits("^queue*front$", "queue::push_back"));
    assert_true(pl_suppress_fits("*", "anything"));
    assert_true(pl_suppress_fits("a*$", "abc"));
    assert_true(pl_suppress_fits("^*b", "ab"));
    assert_false(pl_suppress_fits("a*b", "ba"));
}

static void rules_and_comments_are_told_apart(void **state)
{
    (void)state;
    struct pl_suppress s;
    struct pl_error error;
    const char text[] = "# known\n\n  race:foo  \nrace:^bar$\r\ncalled_from_lib:libz.so\n";
    assert_int_equal(pl_suppress_parse(&s, "supp.txt", text, &error), PL_OK);
    assert_int_equal(s.count, 2);
    assert_string_equal(s.rule[0].pattern, "foo");
    assert_int_equal(s.rule[0].line, 3);
    assert_string_equal(s.rule[1].pattern, "^bar$");
    assert_int_equal(s.unused_line, 5);
    assert_string_equal(s.unused_kind, "called_from_lib");
    pl_suppress_release(&s);
}

static void assert_wrong(const char *text, const char *expected)
{
    struct pl_suppress s;
    struct pl_error error;
    assert_int_equal(pl_suppress_parse(&s, "supp.txt", text, &error), PL_ERR_INPUT);
    assert_string_equal(error.text, expected);
}

static void a_wrong_line_is_named(void **state)
{
    (void)state;
    assert_wrong("race:x\nfoo\n", "supp.txt:2: 'foo' is not a rule; write race:PATTERN");
    assert_wrong("race:\n", "supp.txt:1: a pattern must follow 'race:'");
    assert_wrong("rice:x", "supp.txt:1: 'rice' is no kind of suppression; write race:PATTERN");
}

static void too_many_rules_are_refused(void **state)
{
    (void)state;
    struct pl_suppress s;
    struct pl_error error;
    struct pl_strbuf text;
    pl_strbuf_init(&text);
    for (int i = 0; i < PL_MAX_SUPPRESSIONS; i++)
        pl_strbuf_addf(&text, "race:f%d\n", i);
    assert_int_equal(pl_suppress_parse(&s, "s", text.text, &error), PL_OK);
    assert_int_equal(s.count, PL_MAX_SUPPRESSIONS);
    pl_suppress_release(&s);
    pl_strbuf_add(&text, "race:more\n");
    assert_int_equal(pl_suppress_parse(&s, "s", text.text, &error), PL_ERR_LIMIT);
    pl_strbuf_release(&text);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_pattern_fits_anywhere_in_the_name),
        cmocka_unit_test(anchors_bind_to_the_ends),
        cmocka_unit_test(a_star_stands_for_anything),
        cmocka_unit_test(rules_and_comments_are_told_apart),
        cmocka_unit_test(a_wrong_line_is_named),
        cmocka_unit_test(too_many_rules_are_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
