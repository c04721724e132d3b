/* Claims about src/plan and src/shrink: calls, tests, which tests. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "plan/agenda.h"
#include "plan/distinct.h"
#include "plan/literal.h"
#include "plan/marks.h"
#include "shrink/shrink.h"

static struct pl_call calls[8];
static size_t count;

static void read_calls(const char *const *texts)
{
    struct pl_error error;
    while (count)
        pl_call_release(&calls[--count]);
    for (; texts[count]; count++)
        assert_int_equal(pl_call_parse(&calls[count], texts[count], &error), PL_OK);
    pl_calls_name(calls, count);
}

static void numbers_are_read_as_c_writes_them(void **state)
{
    (void)state;
    static const struct {
        const char *text;
        int64_t value;
    } good[] = {{"7", 7},       {" -2 ", -2},    {"+3", 3},       {"0x1F", 31},  {"017", 15},
                {"0b101", 5},   {"1'000", 1000}, {"1u", 1},       {"2LL", 2},    {"'a'", 97},
                {"'\\n'", 10},  {"'\\0'", 0},    {"'\\x1b'", 27}, {"'\\''", 39}, {"(2)", 2},
                {"-( 3 )", -3}, {"true", 1},     {"false", 0}};
    static const char *const bad[] = {"",     "a",   "1+1",   "1.5", "0x",
                                      "08",   "--1", "'ab'",  "1x",  "\"1\"",
                                      "f(1)", "()",  "'\\q'", "0b2", "18446744073709551615"};
    int64_t value;
    for (size_t i = 0; i < sizeof good / sizeof *good; i++) {
        assert_true(pl_literal_read(good[i].text, strlen(good[i].text), &value));
        assert_int_equal(value, good[i].value);
    }
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++)
        if (pl_literal_read(bad[i], strlen(bad[i]), &value))
            fail_msg("%s", bad[i]);
}

/* `expected` NULL: it is given no number. */
static void expect_with(const char *text, int64_t number, const char *expected)
{
    struct pl_call call;
    struct pl_error error;
    int64_t value = 0;
    assert_int_equal(pl_call_parse(&call, text, &error), PL_OK);
    assert_int_equal(pl_call_last_number(&call, &value), expected != NULL);
    char *other = pl_call_with(&call, 9);
    if (expected) {
        assert_int_equal(value, number);
        assert_string_equal(other, expected);
    } else {
        assert_null(other);
    }
    free(other);
    pl_call_release(&call);
}

static void a_call_is_given_another_number(void **state)
{
    (void)state;
    expect_with("enq(&q, 1)", 1, "enq(&q,9)");
    expect_with("enq(&q, -2)", -2, "enq(&q,9)");
    expect_with("q[3].enq(0x10)", 16, "q[3].enq(9)");
    expect_with("enq('a', -(1))", -1, "enq('a',9)");
    expect_with("enq(make(-4, \"5\"))", -4, "enq(make(9, \"5\"))");
    expect_with("int v[2]; bool f(1, v) -> v[0]", 1, "int v[2]; bool f(9, v) -> v[0]");
    expect_with("struct s v = f(2); v.a => v.b", 2, "struct s v = f(9); v.a => v.b");
    expect_with("deq(&q2)", 0, NULL);
    expect_with("enq(1.5)", 0, NULL);
}

static void calls_are_taken_apart(void **state)
{
    (void)state;
    read_calls((const char *const[]){"enq(&q, 1)", "int v; bool deq(&q, &v) -> v",
                                     "char *p = \";\"; peek(&q, p) => *p, p[0]", NULL});
    assert_string_equal(calls[0].call, "enq(&q, 1)");
    assert_string_equal(calls[0].shown, "enq(1)");
    assert_string_equal(calls[1].declarations, "int v;");
    assert_string_equal(calls[1].type, "bool");
    assert_string_equal(calls[1].call, "deq(&q, &v)");
    assert_string_equal(calls[1].outs, "v");
    assert_string_equal(calls[1].shown, "deq()");
    assert_false(calls[1].always);
    assert_string_equal(calls[2].outs, "*p, p[0]");
    assert_true(calls[2].always);
}

static void a_type_may_stand_before_a_method(void **state)
{
    (void)state;
    read_calls((const char *const[]){"int v; bool q.pop(v) -> v", "unsigned long *q->at(1)",
                                     "bool queue::is_empty()", "p->next.pop()", NULL});
    assert_string_equal(calls[0].type, "bool");
    assert_string_equal(calls[0].call, "q.pop(v)");
    assert_string_equal(calls[0].outs, "v");
    assert_string_equal(calls[1].type, "unsigned long *");
    assert_string_equal(calls[1].call, "q->at(1)");
    assert_string_equal(calls[2].type, "bool");
    assert_string_equal(calls[2].call, "queue::is_empty()");
    assert_string_equal(calls[3].type, "");
    assert_string_equal(calls[3].call, "p->next.pop()");
}

static void brackets_are_closed_by_their_like(void **state)
{
    (void)state;
    static const char *const right[] = {"f(a[1], {2})", "f(')', \"(\")", "f(1'000'000)", "f('a')",
                                        ""};
    static const char *const wrong[] = {"f(", "f())", "f(a[1)]", "f(\")\"", "]"};
    struct pl_error error;
    for (size_t i = 0; i < sizeof right / sizeof *right; i++)
        assert_int_equal(pl_call_check_brackets("--call", right[i], &error), PL_OK);
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++)
        assert_int_equal(pl_call_check_brackets("--call", wrong[i], &error), PL_ERR_INPUT);
}

static void names_are_short_only_where_that_is_clear(void **state)
{
    (void)state;
    read_calls((const char *const[]){"put(a, 1)", "put(b, 1)", "get(a)", NULL});
    assert_string_equal(calls[0].shown, "put(a,1)"); /* two objects: none is left out */
    read_calls((const char *const[]){"add(1)", "remove(1)", NULL});
    assert_string_equal(calls[0].shown, "add(1)"); /* a number is no object */
    read_calls((const char *const[]){"q->push(x, f(1, 2))", "x = 3", "s.pop()", NULL});
    assert_string_equal(calls[0].shown, "push(f(1,2))");
    assert_string_equal(calls[1].shown, "x=3");
    assert_string_equal(calls[2].shown, "pop()");
    read_calls((const char *const[]){"(*p).push(1)", "table[f(2)].pop()", "(*f)(1)", NULL});
    assert_string_equal(calls[0].shown, "push(1)");
    assert_string_equal(calls[1].shown, "pop()");
    assert_string_equal(calls[2].shown, "(*f)(1)");
}

static void a_test_is_printed_as_it_is_read(void **state)
{
    (void)state;
    struct pl_test test;
    struct pl_error error;
    struct pl_strbuf text;
    read_calls((const char *const[]){"enq(&q, 1)", "enq(&q, 2)", "deq(&q)", NULL});
    assert_int_equal(
        pl_test_parse(&test, "enq(&q,1) , deq | enq(2)", NULL, NULL, calls, count, &error), PL_OK);
    pl_strbuf_init(&text);
    pl_test_print(&test, calls, &text);
    assert_string_equal(text.text, "enq(1),deq() | enq(2)");
    assert_int_equal(pl_test_count(&test), 3);
    assert_int_equal(pl_test_thread(&test, 2), 2);
    pl_strbuf_release(&text);
    assert_int_equal(pl_test_parse(&test, "enq | deq", NULL, NULL, calls, count, &error),
                     PL_ERR_INPUT);
    assert_int_equal(pl_test_parse(&test, "deq||deq", NULL, NULL, calls, count, &error),
                     PL_ERR_INPUT);
}

/* By hand: every matrix, those kept whose columns do not fall. */
static void every_test_comes_once_up_to_renaming(void **state)
{
    (void)state;
    static const unsigned size[][3] = {{2, 1, 3}, {2, 2, 3}, {3, 1, 4}, {3, 2, 2}, {1, 3, 2}};
    for (unsigned s = 0; s < sizeof size / sizeof *size; s++) {
        unsigned threads = size[s][0], length = size[s][1], n = size[s][2], found = 0, all = 1;
        uint8_t cells[PL_TEST_OPERATIONS] = {0}, last[PL_TEST_OPERATIONS];
        do {
            for (unsigned c = 1; c < threads; c++)
                assert_true(memcmp(cells + (c - 1) * length, cells + c * length, length) <= 0);
            assert_true(!found || memcmp(last, cells, threads * length) < 0);
            memcpy(last, cells, sizeof last);
            found++;
        } while (pl_test_next(cells, threads, length, n));
        unsigned columns = 1;
        for (unsigned i = 0; i < length; i++)
            columns *= n;
        for (unsigned i = 0; i < threads; i++)
            all = all * (columns + i) / (i + 1);
        assert_int_equal(found, all);
        assert_int_equal(pl_test_all(threads, length, n), all);
    }
}

static const char *const models[] = {"sc", "rc11"};
static const struct pl_cell single[] = {{1, {0}}, {1, {1}}, {1, {2}}};

static void the_growing_agenda_exhausts_then_samples(void **state)
{
    (void)state;
    static const unsigned tests[] = {6, 45, 10};
    struct pl_agenda a;
    struct pl_item item;
    pl_agenda_init(&a, models, 2, single, 3, 1, NULL, NULL);
    pl_agenda_growing(&a);
    for (unsigned stage = 0; stage < 3; stage++)
        for (unsigned i = 0; i < 2 * tests[stage]; i++) {
            assert_true(pl_agenda_next(&a, &item));
            assert_int_equal(item.stage, stage);
            assert_string_equal(item.model, models[i / tests[stage]]);
        }
    for (unsigned i = 0; i < 6; i++) {
        struct pl_test before = item.test;
        assert_true(pl_agenda_next(&a, &item));
        assert_string_equal(item.model, models[i % 2]);
        assert_int_equal(item.stage, 3 + i / 2);
        assert_int_equal(pl_test_count(&item.test), i < 4 ? 6 : 9);
        if (i % 2)
            assert_memory_equal(&before, &item.test, sizeof before); /* the same, other model */
    }
}

static void the_automatic_agenda_uses_the_first_calls(void **state)
{
    (void)state;
    struct pl_agenda a;
    struct pl_item item;
    unsigned tests[4] = {0};
    pl_agenda_init(&a, models, 1, single, 3, 1, NULL, NULL);
    pl_agenda_auto(&a);
    for (unsigned i = 0; i < 1 + 10 + 100; i++) {
        assert_true(pl_agenda_next(&a, &item));
        unsigned n = item.stage + 1;
        assert_int_equal(item.test.threads, n + 1);
        for (unsigned k = 0; k < n * n; k++)
            assert_true(item.test.operation[k] < n);
        tests[n < 4 ? n : 3]++;
    }
    assert_int_equal(tests[1], 1);
    assert_int_equal(tests[2], 10); /* multisets of two of four columns */
    assert_int_equal(tests[3], 100);
}

static void a_cell_may_be_a_sequence(void **state)
{
    (void)state;
    static const struct pl_cell cell[] = {{2, {0, 2}}, {1, {1}}};
    struct pl_agenda a;
    struct pl_item item;
    pl_agenda_init(&a, models, 1, cell, 2, 1, NULL, NULL);
    pl_agenda_all(&a, 2, 1);
    assert_true(pl_agenda_next(&a, &item));
    assert_int_equal(pl_test_count(&item.test), 4);
    assert_int_equal(item.test.operation[1], 2);
    assert_true(pl_agenda_next(&a, &item));
    assert_int_equal(item.test.length[1], 2);
    assert_int_equal(item.test.length[2], 1);
    assert_true(pl_agenda_next(&a, &item));
    assert_int_equal(pl_test_count(&item.test), 2);
    assert_false(pl_agenda_next(&a, &item));
}

static void forbidden_tests_are_left_out(void **state)
{
    (void)state;
    struct pl_agenda a;
    struct pl_item item;
    struct pl_error error;
    unsigned tests = 0;
    read_calls((const char *const[]){"a()", "b()", "c()", NULL});
    assert_int_equal(pl_marks_add("group", "a", "--group", calls, count, &error), PL_OK);
    pl_agenda_init(&a, models, 2, single, 3, 1, NULL, calls);
    pl_agenda_all(&a, 2, 1);
    for (; pl_agenda_next(&a, &item); tests++)
        assert_false(item.test.operation[0] == 0 && item.test.operation[1] == 0);
    assert_int_equal(tests, 2 * 5);
    assert_int_equal(a.stage[0].total, 5);
}

static const char *refusal(const char *test)
{
    static struct pl_error error;
    struct pl_test parsed;
    assert_int_equal(pl_test_parse(&parsed, test, NULL, NULL, calls, count, &error), PL_OK);
    return pl_marks_check(&parsed, calls, &error) ? error.text : "";
}

static void groups_and_limits_are_respected(void **state)
{
    (void)state;
    struct pl_error error;
    read_calls((const char *const[]){"push(1)", "push(2)", "pop()", "steal()", "close()", NULL});
    assert_false(pl_marks_restrict(calls, count));
    assert_int_equal(pl_marks_add("group", "push,pop", "x", calls, count, &error), PL_OK);
    assert_int_equal(pl_marks_add("limit", "close=1", "x", calls, count, &error), PL_OK);
    assert_int_equal(pl_marks_add("limit", "push = 3", "x", calls, count, &error), PL_OK);
    assert_true(pl_marks_restrict(calls, count));
    assert_string_equal(refusal("push(1),pop(),push(2) | steal(),close() | steal()"), "");
    assert_non_null(strstr(refusal("push(1) | pop()"), "only one thread"));
    assert_non_null(strstr(refusal("close() | close()"), "1 time "));
    assert_non_null(strstr(refusal("push(1),push(1),push(2),push(1)"), "4 times"));
    assert_int_equal(pl_marks_add("group", "pup", "--group", calls, count, &error), PL_ERR_INPUT);
    assert_non_null(strstr(error.text, "--group: there is no operation 'pup'"));
    assert_int_equal(pl_marks_add("limit", "push", "x", calls, count, &error), PL_ERR_INPUT);
    assert_int_equal(pl_marks_add("limit", "push=0", "x", calls, count, &error), PL_ERR_INPUT);
}

static void the_agenda_has_just_the_tests_that_respect_them(void **state)
{
    (void)state;
    struct pl_agenda a;
    struct pl_item item;
    struct pl_error error;
    read_calls((const char *const[]){"push(1)", "pop()", "steal()", NULL});
    assert_int_equal(pl_marks_add("group", "push,pop", "x", calls, count, &error), PL_OK);
    assert_int_equal(pl_marks_add("limit", "steal=3", "x", calls, count, &error), PL_OK);
    pl_agenda_init(&a, models, 1, single, 3, 1, NULL, calls);
    pl_agenda_all(&a, 2, 2);
    pl_agenda_random(&a, 3, 2, 20);
    unsigned all = 0, drawn = 0;
    while (pl_agenda_next(&a, &item)) {
        assert_int_equal(pl_marks_check(&item.test, calls, NULL), PL_OK);
        *(item.stage ? &drawn : &all) += 1;
    }
    assert_int_equal(all, 8); /* the owner's column is any of 9, the other steals twice */
    assert_int_equal(a.stage[0].total, 8);
    assert_int_equal(drawn, 0); /* two thieves of three threads steal four times */
    assert_int_equal(a.stages, 1);
}

/* One by one, without passing anything over. */
static uint64_t count_by_hand(unsigned threads, unsigned length, unsigned cells)
{
    uint8_t now[PL_TEST_OPERATIONS] = {0};
    uint64_t found = 0;
    do {
        struct pl_test t = {.threads = (uint8_t)(threads + 1)};
        memcpy(t.operation, now, (size_t)threads * length);
        for (unsigned i = 1; i <= threads; i++)
            t.length[i] = (uint8_t)length;
        found += pl_marks_check(&t, calls, NULL) == PL_OK;
    } while (pl_test_next(now, threads, length, cells));
    return found;
}

static void passing_over_what_is_forbidden_misses_nothing(void **state)
{
    (void)state;
    static const struct {
        const char *group, *limit;
    } way[] = {{"a", "b=1"}, {"a,b", "c=3"}, {"b", "a=2,b=3"}, {"a", "a=1,b=1,c=2"}};
    for (unsigned w = 0; w < 4; w++)
        for (unsigned threads = 1; threads <= 3; threads++)
            for (unsigned length = 1; length <= 3; length++) {
                struct pl_agenda a;
                struct pl_item item;
                struct pl_error error;
                uint64_t expected, all = 0;
                read_calls((const char *const[]){"a()", "b()", "c()", NULL});
                assert_int_equal(pl_marks_add("group", way[w].group, "x", calls, count, &error),
                                 PL_OK);
                assert_int_equal(pl_marks_add("limit", way[w].limit, "x", calls, count, &error),
                                 PL_OK);
                expected = count_by_hand(threads, length, 3);
                pl_agenda_init(&a, models, 1, single, 3, 1, NULL, calls);
                pl_agenda_all(&a, threads, length);
                assert_int_equal(a.stages, expected > 0);
                if (expected)
                    assert_int_equal(a.stage[0].total, expected);
                for (; pl_agenda_next(&a, &item); all++)
                    assert_int_equal(pl_marks_check(&item.test, calls, NULL), PL_OK);
                assert_int_equal(all, expected);
            }
}

static void sizes_of_which_there_is_no_test_are_known_at_once(void **state)
{
    (void)state;
    struct pl_agenda a;
    struct pl_error error;
    read_calls((const char *const[]){"a()", "b()", "c()", NULL});
    assert_int_equal(pl_marks_add("limit", "a=1,b=2,c=1", "x", calls, count, &error), PL_OK);
    pl_agenda_init(&a, models, 1, single, 3, 1, NULL, calls);
    pl_agenda_all(&a, 5, 5); /* more of them than could be gone through one by one */
    assert_int_equal(a.stages, 0);
    pl_agenda_auto(&a);
    assert_int_equal(a.stages, 1); /* 1x1: the first of them; of two, three calls at most */
    assert_int_equal(a.stage[0].total, 1);
}

static void told_apart(const char *test, const char *expected)
{
    struct pl_test parsed;
    struct pl_error error;
    struct pl_strbuf text;
    assert_int_equal(pl_test_parse(&parsed, test, NULL, NULL, calls, count, &error), PL_OK);
    pl_distinct(&parsed, calls, count);
    pl_strbuf_init(&text);
    pl_test_print(&parsed, calls, &text);
    assert_string_equal(text.text, expected);
    pl_strbuf_release(&text);
}

static void equal_values_are_told_apart_while_there_are_others(void **state)
{
    (void)state;
    struct pl_error error;
    read_calls((const char *const[]){"enq(1)", "enq(2)", "enq(3)", "add(1)", "deq()", NULL});
    told_apart("enq(1),enq(1) | deq()", "enq(1),enq(1) | deq()"); /* nobody said it is alright */
    assert_int_equal(pl_marks_add("data-independent", "enq", "x", calls, count, &error), PL_OK);
    told_apart("enq(1),enq(1) | deq()", "enq(1),enq(2) | deq()");
    told_apart("enq(1),enq(1) | enq(2)", "enq(1),enq(3) | enq(2)");
    told_apart("enq(1),enq(1) | add(1),add(1)", "enq(1),enq(2) | add(1),add(1)");
    told_apart("enq(1),enq(1),enq(1),enq(1)", "enq(1),enq(2),enq(3),enq(1)");
}

/* Wrong: call 2 or 3 after call 1 on one thread, and call 0 on another. */
static enum pl_shrink_answer has_both(void *context, const struct pl_test *t)
{
    unsigned at = t->init, zero = 0, pair = 0;
    ++*(unsigned *)context;
    for (unsigned c = 1; c < t->threads; at += t->length[c++])
        for (unsigned i = 0; i < t->length[c]; i++) {
            zero |= (unsigned)(t->operation[at + i] == 0) << c;
            for (unsigned k = 0; k < i; k++)
                pair |= (unsigned)(t->operation[at + k] == 1 && t->operation[at + i] >= 2) << c;
        }
    return pair && (zero & ~pair) ? PL_IS_WRONG : PL_IS_RIGHT;
}

/* Wrong: two invocations of call 1, wherever; one alone is not known. */
static enum pl_shrink_answer has_two(void *context, const struct pl_test *t)
{
    unsigned ones = 0;
    (void)context;
    for (unsigned i = 0; i < pl_test_count(t); i++)
        ones += t->operation[i] == 1;
    return ones >= 2 ? PL_IS_WRONG : PL_NOT_KNOWN;
}

static const char *shrunk(const char *text, pl_is_wrong *is_wrong, bool *minimal)
{
    static char result[200];
    struct pl_test test;
    struct pl_error error;
    unsigned asked = 0;
    struct pl_strbuf out;
    read_calls((const char *const[]){"a()", "b()", "c(1)", "c(2)", NULL});
    assert_int_equal(pl_test_parse(&test, text, "b(),a()", "c(1)", calls, count, &error), PL_OK);
    *minimal = pl_shrink(&test, calls, true, is_wrong, &asked);
    pl_strbuf_init(&out);
    pl_test_print(&test, calls, &out);
    (void)snprintf(result, sizeof result, "%s", out.text);
    pl_strbuf_release(&out);
    while (count)
        pl_call_release(&calls[--count]);
    return result;
}

static void shrinking_leaves_what_cannot_go(void **state)
{
    (void)state;
    bool minimal;
    assert_string_equal(shrunk("c(2),a(),c(2) | a(),b(),b(),c(2) | b()", has_both, &minimal),
                        "a() | b(),c(1)"); /* the simpler argument */
    assert_true(minimal);
    assert_string_equal(shrunk("a(),b() | c(1) | b(),c(2)", has_two, &minimal),
                        "b() (before it: b())");
    assert_false(minimal);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(numbers_are_read_as_c_writes_them),
        cmocka_unit_test(a_call_is_given_another_number),
        cmocka_unit_test(calls_are_taken_apart),
        cmocka_unit_test(a_type_may_stand_before_a_method),
        cmocka_unit_test(brackets_are_closed_by_their_like),
        cmocka_unit_test(names_are_short_only_where_that_is_clear),
        cmocka_unit_test(a_test_is_printed_as_it_is_read),
        cmocka_unit_test(every_test_comes_once_up_to_renaming),
        cmocka_unit_test(the_growing_agenda_exhausts_then_samples),
        cmocka_unit_test(the_automatic_agenda_uses_the_first_calls),
        cmocka_unit_test(a_cell_may_be_a_sequence),
        cmocka_unit_test(forbidden_tests_are_left_out),
        cmocka_unit_test(groups_and_limits_are_respected),
        cmocka_unit_test(equal_values_are_told_apart_while_there_are_others),
        cmocka_unit_test(the_agenda_has_just_the_tests_that_respect_them),
        cmocka_unit_test(passing_over_what_is_forbidden_misses_nothing),
        cmocka_unit_test(sizes_of_which_there_is_no_test_are_known_at_once),
        cmocka_unit_test(shrinking_leaves_what_cannot_go),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
