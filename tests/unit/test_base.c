/* Claims about src/base: the growing string, the status, the random numbers. */
#include <errno.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h> /* after the headers it needs */

#include "base/prng.h"
#include "base/status.h"
#include "base/strbuf.h"

static void a_new_string_is_empty_and_ends(void **state)
{
    (void)state;
    struct pl_strbuf s;
    pl_strbuf_init(&s);
    assert_int_equal(s.length, 0);
    assert_string_equal(s.text, "");
    pl_strbuf_release(&s);
    assert_null(s.text);
}

static void a_string_grows_past_any_room(void **state)
{
    (void)state;
    struct pl_strbuf s;
    pl_strbuf_init(&s);
    for (int i = 0; i < 1000; i++) {
        pl_strbuf_add(&s, "ab");
        pl_strbuf_addf(&s, "%03d", i);
    }
    assert_int_equal(s.length, 5000);
    assert_int_equal(strlen(s.text), 5000);
    assert_memory_equal(s.text, "ab000ab001", 10);
    assert_string_equal(s.text + 4990, "ab998ab999");
    pl_strbuf_release(&s);
}

static void one_addition_may_be_longer_than_twice_the_room(void **state)
{
    (void)state;
    struct pl_strbuf s;
    pl_strbuf_init(&s);
    pl_strbuf_addf(&s, "%*d", 10000, 7);
    assert_int_equal(s.length, 10000);
    assert_int_equal(s.text[9999], '7');
    assert_int_equal(s.text[10000], '\0');
    pl_strbuf_release(&s);
}

static void bytes_may_hold_a_zero(void **state)
{
    (void)state;
    struct pl_strbuf s;
    pl_strbuf_init(&s);
    pl_strbuf_add_bytes(&s, "a\0b", 3);
    assert_int_equal(s.length, 3);
    assert_memory_equal(s.text, "a\0b", 4);
    pl_strbuf_release(&s);
}

static void a_cleared_string_starts_again(void **state)
{
    (void)state;
    struct pl_strbuf s;
    pl_strbuf_init(&s);
    pl_strbuf_add(&s, "gone");
    pl_strbuf_clear(&s);
    assert_string_equal(s.text, "");
    pl_strbuf_add(&s, "new");
    assert_string_equal(s.text, "new");
    pl_strbuf_release(&s);
}

static void a_detached_text_is_the_callers(void **state)
{
    (void)state;
    struct pl_strbuf s;
    pl_strbuf_init(&s);
    pl_strbuf_add(&s, "mine");
    char *text = pl_strbuf_detach(&s);
    pl_strbuf_release(&s);
    assert_string_equal(text, "mine");
    free(text);
}

static void a_failure_carries_its_sentence(void **state)
{
    (void)state;
    struct pl_error error = {0};
    assert_int_equal(pl_fail(&error, PL_ERR_INPUT, "no %s in %d files", "main", 2), PL_ERR_INPUT);
    assert_int_equal(error.status, PL_ERR_INPUT);
    assert_string_equal(error.text, "no main in 2 files");
    assert_int_equal(pl_fail(NULL, PL_ERR_LIMIT, "nobody listens"), PL_ERR_LIMIT);
}

static void a_failure_of_the_system_says_why(void **state)
{
    (void)state;
    struct pl_error error = {0};
    errno = ENOENT;
    assert_int_equal(pl_fail_errno(&error, "cannot open %s", "x.c"), PL_ERR_SYSTEM);
    assert_string_equal(error.text, "cannot open x.c: No such file or directory");
}

static void a_long_sentence_is_cut_and_keeps_the_reason(void **state)
{
    (void)state;
    struct pl_error error = {0};
    (void)pl_fail(&error, PL_ERR_INPUT, "%*d", 5000, 1);
    assert_int_equal(strlen(error.text), sizeof error.text - 1);
    errno = EACCES;
    (void)pl_fail_errno(&error, "%*d", 5000, 1);
    assert_non_null(strstr(error.text, ": Permission denied"));
}

/* The numbers of the authors' reference code for xoshiro256** after splitmix64(0). */
static void the_numbers_are_the_published_ones(void **state)
{
    (void)state;
    static const uint64_t expected[] = {0x99ec5f36cb75f2b4u, 0xbf6e1f784956452au,
                                        0x1a5f849d4933e6e0u, 0x6aa594f1262d2d2cu};
    struct pl_prng r;
    pl_prng_init(&r, 0);
    for (size_t i = 0; i < sizeof expected / sizeof *expected; i++)
        assert_int_equal(pl_prng_next(&r), expected[i]);
}

static void numbers_below_n_are_below_n_and_all_come(void **state)
{
    (void)state;
    struct pl_prng r;
    pl_prng_init(&r, 42);
    unsigned seen[7] = {0};
    for (int i = 0; i < 70000; i++) {
        uint32_t x = pl_prng_below(&r, 7);
        assert_in_range(x, 0, 6);
        seen[x]++;
    }
    for (int i = 0; i < 7; i++)
        assert_in_range(seen[i], 9500, 10500);
    assert_int_equal(pl_prng_below(&r, 1), 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_new_string_is_empty_and_ends),
        cmocka_unit_test(a_string_grows_past_any_room),
        cmocka_unit_test(one_addition_may_be_longer_than_twice_the_room),
        cmocka_unit_test(bytes_may_hold_a_zero),
        cmocka_unit_test(a_cleared_string_starts_again),
        cmocka_unit_test(a_detached_text_is_the_callers),
        cmocka_unit_test(a_failure_carries_its_sentence),
        cmocka_unit_test(a_failure_of_the_system_says_why),
        cmocka_unit_test(a_long_sentence_is_cut_and_keeps_the_reason),
        cmocka_unit_test(the_numbers_are_the_published_ones),
        cmocka_unit_test(numbers_below_n_are_below_n_and_all_come),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
