/* Quasi linearizability: what each reading admits, on queues one can follow by hand. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h> /* after the headers it needs */

#include "check/quasi_factors.h"
#include "check/wrapped.h"

enum { MOST = 16, EMPTY = 99 };

/* A serial run of a queue: 3 is enq(3), -3 is deq() -> 3, -EMPTY is deq() -> empty; 0 ends it. */
struct made {
    struct pl_history history;
    struct pl_wrapped wrapped;
    struct pl_order order;
    struct pl_called called[MOST];
    uint8_t group[MOST], event[2 * MOST];
};

static const struct pl_spec *spec = &pl_spec_fifo;

static void make(struct made *m, const int *run)
{
    *m = (struct made){0};
    pl_history_init(&m->history);
    pl_history_finish(&m->history);
    pl_wrapped_init(&m->wrapped, spec, 0, &m->history);
    unsigned n = 0;
    for (; run[n]; n++) {
        struct pl_operation o = {.code = run[n] > 0 ? PL_PUT : PL_TAKE};
        o.argument[0] = run[n] > 0 ? run[n] : 0;
        m->called[n] =
            (struct pl_called){pl_wrapped_invocation(&m->wrapped, &o),
                               run[n] > 0 || run[n] == -EMPTY ? PL_NIL : -run[n], 0, false};
        m->group[n] = run[n] > 0;
        m->event[2 * n] = (uint8_t)(2 * n);
        m->event[2 * n + 1] = (uint8_t)(2 * n + 1);
        for (unsigned k = 0; k < 2 * n; k++) /* one after the other */
            m->order.before[2 * n] |= pl_event_bit(k);
    }
    m->order.operations = n;
}

static void unmake(struct made *m)
{
    pl_wrapped_release(&m->wrapped);
    pl_history_release(&m->history);
}

/* The factor of deq, and that of enq (all subsets: the first is K). */
static bool admits(enum pl_quasi_reading reading, unsigned deq, unsigned enq, const int *run)
{
    struct made m;
    union pl_quasi_result result;
    struct pl_quasi_stats stats = {0};
    make(&m, run);
    const unsigned factor[] = {deq, enq};
    const struct pl_quasi quasi = {reading, m.group, factor};
    const struct pl_behaviour behaviour = {&m.order, m.called, false};
    enum pl_decision decision = pl_quasi_history(&quasi, &m.wrapped.machine, &behaviour, m.event,
                                                 2 * m.order.operations, NULL, &result, &stats);
    assert_int_not_equal(decision, PL_NEITHER);
    assert_int_equal(decision, pl_quasi_decide(&quasi, &m.wrapped.machine, &behaviour, NULL, NULL,
                                               &result, &stats));
    assert_int_equal(decision,
                     pl_quasi_order(&quasi, &m.wrapped.machine, &behaviour, NULL, &result, &stats));
    unmake(&m);
    return decision == PL_GOOD;
}

#define RUN(...) ((const int[]){__VA_ARGS__, 0})

/* Round-Up, Figure 3 and Histories 0 to 5: out of order by at most one step. */
static void takes_move_by_their_factor(void **unused)
{
    (void)unused;
    static const enum pl_quasi_reading readings[] = {PL_QUASI_POSITIONS, PL_QUASI_DEFINITION4};
    for (unsigned k = 0; k < 2; k++) {
        enum pl_quasi_reading r = readings[k];
        assert_true(admits(r, 0, 0, RUN(1, 2, 3, -1, -2, -3)));
        assert_false(admits(r, 0, 0, RUN(1, 2, 3, -2, -1, -3)));
        assert_true(admits(r, 1, 0, RUN(1, 2, 3, -2, -1, -3)));
        assert_true(admits(r, 1, 0, RUN(1, 2, 3, -1, -3, -2)));
        assert_false(admits(r, 1, 0, RUN(1, 2, 3, -3, -1, -2)));
        assert_false(admits(r, 1, 0, RUN(1, 2, 3, -2, -3, -1)));
        assert_false(admits(r, 1, 0, RUN(1, 2, 3, -3, -2, -1)));
        assert_true(admits(r, 1, 0, RUN(1, 2, 3, 4, -2, -1, -4, -3)));
        assert_false(admits(r, 2, 0, RUN(1, 2, 3, 4, 5, -3, -1, -4, -5, -2)));
        assert_true(admits(r, 3, 0, RUN(1, 2, 3, 4, 5, -3, -1, -4, -5, -2)));
        assert_false(admits(r, 5, 5, RUN(1, 2, -2, -2))); /* no relaxation takes a value twice */
    }
}

/* Figures 3 and 4: segments of two, or a window of two that is emptied before the next; and the
   window that moves with the head, which can leave a value behind for ever. */
static void segments_of_two(void **unused)
{
    (void)unused;
    static const enum pl_quasi_reading readings[] = {PL_QUASI_POSITIONS, PL_QUASI_DEFINITION4};
    for (unsigned k = 0; k < 2; k++) {
        assert_true(admits(readings[k], 1, 0, RUN(1, 2, 3, 4, -1, -2, -3, -4)));
        assert_true(admits(readings[k], 1, 0, RUN(1, 2, 3, 4, -1, -2, -4, -3)));
        assert_true(admits(readings[k], 1, 0, RUN(1, 2, 3, 4, -2, -1, -3, -4)));
        assert_true(admits(readings[k], 1, 0, RUN(1, 2, 3, 4, -2, -1, -4, -3)));
        assert_true(admits(readings[k], 0, 0, RUN(1, 2, 3, 4, -1, -2, -3, -4)));
        assert_false(admits(readings[k], 0, 0, RUN(1, 2, 3, 4, -2, -1, -4, -3)));
        assert_false(admits(readings[k], 1, 0, RUN(1, 2, 3, 4, -2, -3, -4, -1)));
        assert_true(admits(readings[k], 3, 0, RUN(1, 2, 3, 4, -2, -3, -4, -1)));
    }
}

struct listed {
    uint8_t first[3][3];
    unsigned count;
};

static bool list(void *context, const uint8_t *permutation)
{
    struct listed *l = context;
    if (l->count < 3)
        memcpy(l->first[l->count], permutation, 3);
    l->count++;
    return true;
}

static unsigned permutations(enum pl_quasi_reading reading, unsigned length, unsigned other,
                             unsigned factor, struct listed *out)
{
    uint8_t line[MOST], group[MOST] = {0};
    for (unsigned i = 0; i < length; i++) {
        line[i] = (uint8_t)i;
        group[i] = i < other;
    }
    const struct pl_quasi quasi = {reading, group, (const unsigned[]){factor, 0}};
    *out = (struct listed){.count = 0};
    assert_true(pl_quasi_permute(&quasi, line, length, list, out));
    return out->count;
}

/* Figure 7: Histories 0, 2 and 1 and no other; and the numbers that Tables III and V are made of.
 */
static void permutations_of_the_paper(void **unused)
{
    (void)unused;
    static const uint8_t figure_7[3][3] = {{0, 1, 2}, {0, 2, 1}, {1, 0, 2}};
    struct listed l;
    assert_int_equal(permutations(PL_QUASI_POSITIONS, 3, 0, 1, &l), 3);
    assert_memory_equal(l.first, figure_7, sizeof figure_7);
    assert_int_equal(permutations(PL_QUASI_POSITIONS, 8, 4, 2, &l), 14);
    assert_int_equal(permutations(PL_QUASI_POSITIONS, 8, 4, 3, &l), 24);
    assert_int_equal(permutations(PL_QUASI_POSITIONS, 10, 4, 2, &l), 73);
    assert_int_equal(permutations(PL_QUASI_POSITIONS, 14, 7, 2, &l), 172);
    assert_int_equal(permutations(PL_QUASI_ALL_SUBSETS, 8, 0, 2, &l), 400);
    assert_int_equal(permutations(PL_QUASI_DEFINITION4, 4, 2, 1, &l), 2 * 6); /* times 4 over 2 */
}

/* One factor for everything: a put and a take out of place add up. */
static void all_subsets_move_puts_as_well(void **unused)
{
    (void)unused;
    assert_true(admits(PL_QUASI_ALL_SUBSETS, 0, 0, RUN(1, 2, -1, -2)));
    assert_false(admits(PL_QUASI_ALL_SUBSETS, 0, 0, RUN(1, 2, -2, -1)));
    assert_true(admits(PL_QUASI_ALL_SUBSETS, 1, 0, RUN(1, 2, -2, -1)));
    assert_true(admits(PL_QUASI_ALL_SUBSETS, 1, 0, RUN(1, 2, 3, -3, -1, -2)));
    assert_false(admits(PL_QUASI_ALL_SUBSETS, 1, 0, RUN(1, 2, 3, 4, -4, -1, -2, -3)));
    assert_false(admits(PL_QUASI_ALL_SUBSETS, 5, 0, RUN(1, 2, -2, -2)));
}

/* Every run of four puts and four takes, each of a value that is inside. */
static void each_run_of_eight(int *run, unsigned length, int put, unsigned inside, unsigned *runs)
{
    if (length == 8) {
        ++*runs;
        assert_true(admits(PL_QUASI_ALL_SUBSETS, 2, 0, run));
        return;
    }
    if (put < 4) {
        run[length] = put + 1;
        each_run_of_eight(run, length + 1, put + 1, inside | 1u << (put + 1), runs);
    }
    for (int value = 1; value <= 4; value++)
        if (inside >> value & 1) {
            run[length] = -value;
            each_run_of_eight(run, length + 1, put, inside & ~(1u << value), runs);
        }
}

/* Why Table III cannot be had with all subsets: docs/quasi.md. */
static void all_subsets_of_eight_calls_reject_nothing(void **unused)
{
    (void)unused;
    const struct pl_spec *const of[] = {&pl_spec_fifo, &pl_spec_lifo};
    for (unsigned i = 0; i < 2; i++) {
        int run[9] = {0};
        unsigned runs = 0;
        spec = of[i];
        each_run_of_eight(run, 0, 0, 0, &runs);
        assert_int_equal(runs, 105);
    }
    spec = &pl_spec_fifo;
}

/* What makes the letter of the definition unusable: nothing orders a take and a put. */
static void readings_differ_between_groups(void **unused)
{
    (void)unused;
    assert_true(admits(PL_QUASI_DEFINITION4, 0, 0, RUN(-1, 1)));
    assert_false(admits(PL_QUASI_POSITIONS, 9, 9, RUN(-1, 1)));
    assert_false(admits(PL_QUASI_ALL_SUBSETS, 0, 0, RUN(-1, 1)));
    assert_true(admits(PL_QUASI_ALL_SUBSETS, 1, 0, RUN(-1, 1)));

    assert_true(admits(PL_QUASI_DEFINITION4, 0, 0, RUN(1, -EMPTY, -1)));
    assert_false(admits(PL_QUASI_POSITIONS, 0, 0, RUN(1, -EMPTY, -1)));
    assert_true(admits(PL_QUASI_POSITIONS, 1, 0, RUN(1, -EMPTY, -1)));
    assert_true(admits(PL_QUASI_ALL_SUBSETS, 1, 0, RUN(1, -EMPTY, -1)));

    /* A put in between does not lengthen the way of the takes. */
    assert_true(admits(PL_QUASI_POSITIONS, 1, 0, RUN(1, 2, -2, 3, -1, -3)));
    assert_false(admits(PL_QUASI_POSITIONS, 0, 0, RUN(1, 2, -2, 3, -1, -3)));
    const int *far = RUN(8, 9, 1, -8, 2, -9, 3, -3, 4, 5, 6, -1, -2);
    assert_true(admits(PL_QUASI_POSITIONS, 2, 0, far));
    assert_true(admits(PL_QUASI_DEFINITION4, 2, 0, far));
    assert_false(admits(PL_QUASI_ALL_SUBSETS, 2, 0, far));
}

/* Here what happened runs far ahead of what is accepted; the way back counts as well. */
static void ways_to_the_front_count(void **unused)
{
    (void)unused;
    const int *run = RUN(1, 2, 3, -EMPTY, -EMPTY, -EMPTY, -3, -1, -2);
    assert_false(admits(PL_QUASI_DEFINITION4, 0, 1, run));
    assert_true(admits(PL_QUASI_DEFINITION4, 0, 2, run));
}

/* Everything overlaps and a value is taken twice: that no order is accepted is found out without
   building every sequentialisation beside it. */
static void overlapping_histories_are_refuted_early(void **unused)
{
    (void)unused;
    static const enum pl_quasi_reading readings[] = {PL_QUASI_POSITIONS, PL_QUASI_ALL_SUBSETS,
                                                     PL_QUASI_DEFINITION4};
    const unsigned factor[] = {3, 3};
    for (unsigned k = 0; k < 3; k++) {
        struct made m;
        union pl_quasi_result result;
        struct pl_quasi_stats stats = {0};
        make(&m, RUN(1, 2, 3, 4, -1, -1, -2, -3, -4));
        for (unsigned event = 0; event < 2 * m.order.operations; event++)
            m.order.before[event] = event % 2 ? pl_event_bit(event - 1) : 0;
        const struct pl_quasi quasi = {readings[k], m.group, factor};
        const struct pl_behaviour behaviour = {&m.order, m.called, false};
        assert_int_equal(
            pl_quasi_order(&quasi, &m.wrapped.machine, &behaviour, NULL, &result, &stats), PL_BAD);
        assert_in_range(stats.configurations, 1, 2000);
        unmake(&m);
    }
}

/*
 * An order that two histories have in common, and that is not one in time: add(2) = false before
 * add(1) = true, add(1) = false before add(2) = true. The letter of the definition looks at each
 * group alone, and each has an order the spec accepts; but what happened has to be one order.
 */
static bool admits_round(unsigned factor)
{
    static const struct pl_called no_call = {0};
    struct pl_history history;
    struct pl_wrapped wrapped;
    struct pl_order order = {.operations = 4};
    struct pl_called called[4];
    union pl_quasi_result result;
    struct pl_quasi_stats stats = {0};
    pl_history_init(&history);
    pl_history_finish(&history);
    pl_wrapped_init(&wrapped, &pl_spec_set, 0, &history);
    for (unsigned i = 0; i < 4; i++) { /* 1 true, 1 false, 2 true, 2 false */
        struct pl_operation o = {.code = PL_SET_ADD, .argument = {1 + i / 2}};
        called[i] = no_call;
        called[i].invocation = pl_wrapped_invocation(&wrapped, &o);
        called[i].response = i % 2 == 0;
        order.before[2 * i + 1] = pl_event_bit(2 * i);
    }
    order.before[0] = pl_event_bit(7);
    order.before[4] = pl_event_bit(3);
    const struct pl_quasi quasi = {PL_QUASI_DEFINITION4, (const uint8_t[]){0, 0, 1, 1},
                                   (const unsigned[]){0, factor}};
    const struct pl_behaviour behaviour = {&order, called, false};
    enum pl_decision decision =
        pl_quasi_order(&quasi, &wrapped.machine, &behaviour, NULL, &result, &stats);
    pl_wrapped_release(&wrapped);
    pl_history_release(&history);
    assert_int_not_equal(decision, PL_NEITHER);
    return decision == PL_GOOD;
}

static void groups_happened_in_one_order(void **unused)
{
    (void)unused;
    assert_false(admits_round(0));
    assert_true(admits_round(1));
}

/* Round-Up, section V.D: with no take of the others, 4 cannot be explained by takes alone. */
static void tests_have_to_take_everything(void **unused)
{
    (void)unused;
    assert_false(admits(PL_QUASI_POSITIONS, 1, 0, RUN(3, 4, 5, -4)));
    assert_true(admits(PL_QUASI_POSITIONS, 1, 0, RUN(3, 4, 5, -4, -3, -5)));
}

/* The minimal factors of some runs together are those of all vectors that admit each of them. */
static void smallest_factors(const int *const *run, unsigned runs, unsigned expected)
{
    enum { LARGEST = 7 };
    struct pl_quasi_factors f;
    union pl_quasi_result result;
    struct pl_quasi_stats stats = {0};
    unsigned minimal = 0;
    bool all[LARGEST][LARGEST];
    pl_quasi_factors_init(&f, 2);
    for (unsigned i = 0; i < runs; i++) {
        struct made m;
        make(&m, run[i]);
        const struct pl_quasi quasi = {PL_QUASI_POSITIONS, m.group, NULL};
        const struct pl_behaviour behaviour = {&m.order, m.called, false};
        (void)pl_quasi_factors_add(&f, &quasi, &m.wrapped.machine, &behaviour, NULL, NULL, &result,
                                   &stats);
        unmake(&m);
    }
    for (unsigned deq = 0; deq < LARGEST; deq++)
        for (unsigned enq = 0; enq < LARGEST; enq++) {
            all[deq][enq] = true;
            for (unsigned i = 0; i < runs; i++)
                all[deq][enq] = all[deq][enq] && admits(PL_QUASI_POSITIONS, deq, enq, run[i]);
            bool least =
                all[deq][enq] && !(deq && all[deq - 1][enq]) && !(enq && all[deq][enq - 1]);
            bool found = false;
            for (unsigned i = 0; i < f.count; i++)
                found = found || (f.vector[i][0] == deq && f.vector[i][1] == enq);
            assert_int_equal(least, found);
            minimal += least;
        }
    assert_int_equal(minimal, f.count);
    assert_int_equal(minimal, expected);
}

static void smallest_factors_are_all_found(void **unused)
{
    (void)unused;
    const int *run[] = {RUN(1, 2, -1, -2), RUN(1, 2, 3, -3, -2, -1),
                        RUN(1, 2, 3, 4, -4, -3, -2, -1), RUN(1, 2, -2, 3, 4, -4, -3, -1),
                        RUN(1, 2, -2, -2)};
    smallest_factors(run, 1, 1);
    smallest_factors(run, 2, 2);
    smallest_factors(run + 2, 1, 4);
    smallest_factors(run, 3, 4);
    smallest_factors(run, 4, 4);
    smallest_factors(run, 5, 0);
    smallest_factors(run + 1, 4, 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(takes_move_by_their_factor),
        cmocka_unit_test(segments_of_two),
        cmocka_unit_test(permutations_of_the_paper),
        cmocka_unit_test(all_subsets_move_puts_as_well),
        cmocka_unit_test(all_subsets_of_eight_calls_reject_nothing),
        cmocka_unit_test(readings_differ_between_groups),
        cmocka_unit_test(ways_to_the_front_count),
        cmocka_unit_test(overlapping_histories_are_refuted_early),
        cmocka_unit_test(groups_happened_in_one_order),
        cmocka_unit_test(tests_have_to_take_everything),
        cmocka_unit_test(smallest_factors_are_all_found),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
