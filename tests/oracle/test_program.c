/* Claims about litmus files and about random programs. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h> /* after the headers it needs */

#include "corpus.h"
#include "random.h"

static void print(const struct or_program *p, struct pl_strbuf *out)
{
    pl_strbuf_clear(out);
    or_program_print(p, out);
}

/* Printed, parsed and printed again it is the same text. */
static void assert_comes_back(const struct or_program *p)
{
    struct pl_strbuf once, twice;
    struct or_program back;
    struct pl_error error;
    pl_strbuf_init(&once);
    pl_strbuf_init(&twice);
    print(p, &once);
    if (or_program_parse(&back, "text", once.text, &error) != PL_OK)
        fail_msg("%s\n%s", error.text, once.text);
    print(&back, &twice);
    assert_string_equal(once.text, twice.text);
    pl_strbuf_release(&once);
    pl_strbuf_release(&twice);
}

static void a_program_is_read_as_written(void **state)
{
    (void)state;
    struct or_program p;
    struct pl_error error;
    const char *text = "# a comment\n"
                       "all+kinds # of operation\n"
                       "thread: store x 1 rel; r0 = load y acq; r1 = cas x 1 r0+2 ar rlx\n"
                       "thread: lock l; skip 1 if r0 != 0; fence sc; unlock l\n"
                       "\n"
                       "thread: r0 = fadd y 1 rlx; xchg y 3 sc; assume r0 == 1; r2 = load x con;\n"
                       "outcome: 0:r0=1 x!=2\n"
                       "sc: allowed tso: forbidden\n"
                       "rc11: allowed\n"
                       "graphs: sc=4 rc11=5\n";
    if (or_program_parse(&p, "text", text, &error) != PL_OK)
        fail_msg("%s", error.text);
    assert_string_equal(p.name, "all+kinds");
    assert_int_equal(p.threads, 3);
    assert_int_equal(p.locs, 2);
    assert_int_equal(p.locks, 1);
    const struct or_op *cas = &p.thread[0].ops[2];
    assert_int_equal(cas->kind, OR_CAS);
    assert_int_equal(cas->dest, 1);
    assert_int_equal(cas->expected.reg, -1);
    assert_int_equal(cas->expected.constant, 1);
    assert_int_equal(cas->value.reg, 0);
    assert_int_equal(cas->value.constant, 2);
    assert_int_equal(cas->order, OR_AR);
    assert_int_equal(cas->failure, OR_RLX);
    assert_int_equal(p.thread[1].ops[1].skip, 1);
    assert_false(p.thread[1].ops[1].equal);
    assert_int_equal(p.thread[2].ops[1].dest, -1);
    assert_int_equal(p.thread[2].ops[3].order, OR_ACQ); /* consume */
    assert_int_equal(p.terms, 2);
    assert_false(p.term[1].equal);
    assert_int_equal(p.verdict[OR_MODEL_TSO], OR_FORBIDDEN);
    assert_int_equal(p.graphs[OR_MODEL_TSO], -1);
    assert_int_equal(p.graphs[OR_MODEL_RC11], 5);
    assert_comes_back(&p);
}

static void a_mistake_is_told_with_its_place(void **state)
{
    (void)state;
    static const struct {
        const char *text, *error;
    } mistakes[] = {
        {"a\nthread: stor x 1 rlx\n", "t:2:9: an operation is expected"},
        {"a\nthread: store x 1 foo\n", "t:2:19: a memory order is expected: na, rlx, con, acq, "
                                       "rel, ar or sc"},
        {"a\nthread: store x rlx\n", "t:2:17: a number is expected"},
        {"a\nthread: r9 = load x rlx\n", "t:2:9: a register, r0 to r7, is expected"},
        {"a\nthread: r0 = store x 1 rlx\n", "t:2:19: store gives no value"},
        {"a\nthread: store x 1 rlx store y 1 rlx\n", "t:2:23: ';' is expected"},
        {"a\nthread: lock x; unlock x; store x 1 rlx\n", "t:2:33: x is both a lock and a location"},
        {"a\nthread: store x 1 rlx\noutcome: y=1\n", "t:3:10: no thread has a location y"},
        {"a\nthread: store x 1 rlx\noutcome: 1:r0=1\n", "t:3:11: there is no such thread"},
        {"a\nthread: store x 1 rlx\nsc: maybe\n", "t:3:5: 'allowed' or 'forbidden' is expected"},
        {"a\nthread: store x 1 rlx\narm: allowed\n",
         "t:3:1: a name, 'thread:', 'outcome:', 'graphs:' or a model is expected"},
        {"a b\n", "t:1:3: the end of the line is expected"},
        {"a\nthread: skip 1 r0 == 1\n", "t:2:16: 'if' is expected"},
        {"a\nthread: unlock l\n", "t:3:1: a: thread 0 unlocks what it does not hold"},
        {"a\nthread: lock l; skip 1 if r0 == 0; unlock l\n",
         "t:3:1: a: thread 0 skips a lock without its unlock, or the other way round"},
        {"a\nthread: skip 1 if r0 == 0\n", "t:3:1: a: thread 0 skips past its end"},
        {"a\nthread: store x 1 acq\n",
         "t:3:1: a: operation 0.0: a memory order that does not fit it"},
        {"", "t:1:1: : 1 to 4 threads, at most 8 locations, 2 locks"},
    };
    for (size_t i = 0; i < sizeof mistakes / sizeof mistakes[0]; i++) {
        struct or_program p;
        struct pl_error error = {0};
        assert_int_not_equal(or_program_parse(&p, "t", mistakes[i].text, &error), PL_OK);
        assert_string_equal(error.text, mistakes[i].error);
    }
}

static void the_corpus_comes_back(void **state)
{
    (void)state;
    struct or_corpus corpus;
    struct pl_error error;
    if (or_corpus_read(&corpus, ORACLE_LITMUS, &error) != PL_OK)
        fail_msg("%s", error.text);
    for (size_t i = 0; i < corpus.count; i++) {
        assert_comes_back(&corpus.programs[i]);
        /* A file is called as its test is. */
        const char *base = strrchr(corpus.paths[i], '/') + 1;
        size_t length = strlen(corpus.programs[i].name);
        assert_memory_equal(base, corpus.programs[i].name, length);
        assert_string_equal(base + length, ".litmus");
    }
    or_corpus_release(&corpus);
}

static void random_programs_come_back_and_again(void **state)
{
    (void)state;
    unsigned kinds = 0, orders = 0;
    for (uint64_t seed = 1; seed <= 500; seed++) {
        struct or_program p, q;
        or_random_program(&p, &(struct or_random_options){.seed = seed});
        or_random_program(&q, &(struct or_random_options){.seed = seed});
        assert_memory_equal(&p, &q, sizeof p);
        assert_comes_back(&p);
        int events = 0;
        for (int t = 0; t < p.threads; t++) {
            for (int i = 0; i < p.thread[t].count; i++) {
                kinds |= 1u << p.thread[t].ops[i].kind;
                orders |= 1u << p.thread[t].ops[i].order;
                events += or_makes_event(p.thread[t].ops[i].kind);
            }
        }
        assert_in_range(p.threads, 2, 4);
        assert_in_range(events, 2, 8);
    }
    assert_int_equal(kinds, OR_KINDS_ALL);
    assert_int_equal(orders & OR_ORDERS_ATOMIC, OR_ORDERS_ATOMIC);
}

static void random_programs_keep_to_their_options(void **state)
{
    (void)state;
    for (uint64_t seed = 1; seed <= 200; seed++) {
        struct or_program p;
        or_random_program(&p, &(struct or_random_options){.seed = seed,
                                                          .min_threads = 3,
                                                          .max_threads = 3,
                                                          .max_events = 6,
                                                          .locs = 1,
                                                          .kinds = 1u << OR_LOAD | 1u << OR_CAS,
                                                          .orders = 1u << OR_RLX});
        assert_int_equal(p.threads, 3);
        assert_int_equal(p.locs, 1);
        int events = 0;
        for (int t = 0; t < p.threads; t++) {
            for (int i = 0; i < p.thread[t].count; i++) {
                const struct or_op *op = &p.thread[t].ops[i];
                assert_true(op->kind == OR_LOAD || op->kind == OR_CAS);
                assert_int_equal(op->order, OR_RLX);
                events++;
            }
        }
        assert_int_equal(events, 6);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_program_is_read_as_written),
        cmocka_unit_test(a_mistake_is_told_with_its_place),
        cmocka_unit_test(the_corpus_comes_back),
        cmocka_unit_test(random_programs_come_back_and_again),
        cmocka_unit_test(random_programs_keep_to_their_options),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
