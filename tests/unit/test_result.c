/* Claims about src/result: the words that --json and exit codes promise. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h> /* after the headers it needs */

#include "result/finding.h"

static void exit_codes_and_verdicts_are_the_promised_ones(void **state)
{
    (void)state;
    static const char *const texts[] = {"pass", "violation", "error", "unknown"};
    for (unsigned code = 0; code < 4; code++)
        assert_string_equal(pl_verdict_text((enum pl_verdict)code), texts[code]);
}

static void every_kind_has_its_own_text(void **state)
{
    (void)state;
    for (unsigned i = 0; i < PL_FINDING_COUNT; i++) {
        const char *text = pl_finding_text((enum pl_finding_kind)i);
        assert_true(*text);
        assert_true(*pl_finding_headline((enum pl_finding_kind)i));
        assert_int_equal(strspn(text, "abcdefghijklmnopqrstuvwxyz-"), strlen(text));
        for (unsigned j = 0; j < i; j++)
            assert_string_not_equal(text, pl_finding_text((enum pl_finding_kind)j));
    }
}

static void the_names_users_search_for_do_not_change(void **state)
{
    (void)state;
    assert_string_equal(pl_finding_text(PL_FINDING_DATA_RACE), "data-race");
    assert_string_equal(pl_finding_text(PL_FINDING_UNINITIALISED_READ), "uninitialised-read");
    assert_string_equal(pl_finding_text(PL_FINDING_USE_AFTER_FREE), "use-after-free");
    assert_string_equal(pl_finding_text(PL_FINDING_DOUBLE_FREE), "double-free");
    assert_string_equal(pl_finding_text(PL_FINDING_INVALID_FREE), "invalid-free");
    assert_string_equal(pl_finding_text(PL_FINDING_OUT_OF_BOUNDS), "out-of-bounds");
    assert_string_equal(pl_finding_text(PL_FINDING_LEAK), "leak");
    assert_string_equal(pl_finding_text(PL_FINDING_DEADLOCK), "deadlock");
    assert_string_equal(pl_finding_text(PL_FINDING_LIVELOCK), "livelock");
    assert_string_equal(pl_finding_text(PL_FINDING_HANG), "hang");
    assert_string_equal(pl_finding_text(PL_FINDING_ASSERTION), "assertion");
    assert_string_equal(pl_finding_text(PL_FINDING_CRASH), "crash");
    assert_string_equal(pl_finding_text(PL_FINDING_STACK_OVERFLOW), "stack-overflow");
    assert_string_equal(pl_finding_text(PL_FINDING_EXIT), "exit");
}

static void a_kind_from_nowhere_does_no_harm(void **state)
{
    (void)state;
    assert_string_equal(pl_finding_text((enum pl_finding_kind)9999), "none");
    assert_string_equal(pl_finding_headline((enum pl_finding_kind)9999), "");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(exit_codes_and_verdicts_are_the_promised_ones),
        cmocka_unit_test(every_kind_has_its_own_text),
        cmocka_unit_test(the_names_users_search_for_do_not_change),
        cmocka_unit_test(a_kind_from_nowhere_does_no_harm),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
