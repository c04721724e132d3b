/* Relaxed takes, on runs one can follow by hand: Round-Up's examples, and how the ways differ. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include <cmocka.h> /* after the headers it needs */

#include "check/quasi.h"
#include "check/wrapped.h"

enum { MOST = 16, EMPTY = 99 };

#define RUN(...) ((const int[]){__VA_ARGS__, 0})
#define STRICT(k)                                                                                  \
    (&(const struct pl_relaxation){.on = true, .since_head = true, .places = k, .late = k})
#define ORDER(k) (&(const struct pl_relaxation){.on = true, .places = k, .late = PL_RELAXED_ANY})
#define LATE(k)  (&(const struct pl_relaxation){.on = true, .places = PL_RELAXED_ANY, .late = k})

/* A serial run: 3 puts 3, -3 takes it, -EMPTY is a take that answers so; 0 ends it. */
static void read_run(struct pl_wrapped *w, const int *run, struct pl_order *order,
                     struct pl_called *called)
{
    *order = (struct pl_order){0};
    for (unsigned n = 0; run[n]; n++) {
        struct pl_operation o = {.code = run[n] > 0 ? PL_PUT : PL_TAKE};
        o.argument[0] = run[n] > 0 ? run[n] : 0;
        called[n] = (struct pl_called){pl_wrapped_invocation(w, &o),
                                       run[n] > 0 || run[n] == -EMPTY ? PL_NIL : -run[n], 0, false};
        for (unsigned k = 0; k < 2 * n; k++)
            order->before[2 * n] |= pl_event_bit(k);
        order->operations = n + 1;
    }
}

static bool admits(const struct pl_spec *spec, const struct pl_relaxation *relaxation,
                   const int *run)
{
    struct pl_history h;
    struct pl_wrapped w;
    struct pl_order order;
    struct pl_called called[MOST];
    struct pl_walk *walk = pl_walk_new();
    pl_history_init(&h);
    pl_history_finish(&h);
    pl_wrapped_init(&w, spec, 0, &h);
    pl_wrapped_relax(&w, relaxation);
    read_run(&w, run, &order, called);
    const struct pl_behaviour behaviour = {&order, called, false};
    enum pl_decision decision = pl_walk(walk, &w.machine, &behaviour, NULL, NULL);
    assert_int_not_equal(decision, PL_NEITHER);
    pl_walk_free(walk);
    pl_wrapped_release(&w);
    pl_history_release(&h);
    return decision == PL_GOOD;
}

/* Definition 4, takes within the factor. */
static bool quasi(unsigned factor, const int *run)
{
    struct pl_history h;
    struct pl_wrapped w;
    struct pl_order order;
    struct pl_called called[MOST];
    uint8_t group[MOST], event[2 * MOST];
    union pl_quasi_result result;
    struct pl_quasi_stats stats = {0};
    pl_history_init(&h);
    pl_history_finish(&h);
    pl_wrapped_init(&w, &pl_spec_fifo, 0, &h);
    read_run(&w, run, &order, called);
    for (unsigned i = 0; i < order.operations; i++) {
        group[i] = run[i] < 0;
        event[2 * i] = (uint8_t)(2 * i);
        event[2 * i + 1] = (uint8_t)(2 * i + 1);
    }
    const struct pl_behaviour behaviour = {&order, called, false};
    const struct pl_quasi q = {PL_QUASI_DEFINITION4, group, (const unsigned[]){0, factor}};
    enum pl_decision decision = pl_quasi_history(&q, &w.machine, &behaviour, event,
                                                 2 * order.operations, NULL, &result, &stats);
    pl_wrapped_release(&w);
    pl_history_release(&h);
    return decision == PL_GOOD;
}

/* Round-Up, section V.A: Histories 0 to 5, which restriction each keeps, k = 1. */
static void histories_of_the_paper(void **unused)
{
    (void)unused;
    static const struct {
        int run[7];
        bool first, second;
    } history[] = {
        {{1, 2, 3, -1, -2, -3}, true, true},  {{1, 2, 3, -2, -1, -3}, true, true},
        {{1, 2, 3, -1, -3, -2}, true, true},  {{1, 2, 3, -3, -1, -2}, false, true},
        {{1, 2, 3, -2, -3, -1}, true, false}, {{1, 2, 3, -3, -2, -1}, false, false},
    };
    for (unsigned i = 0; i < sizeof history / sizeof history[0]; i++) {
        assert_int_equal(admits(&pl_spec_fifo, ORDER(1), history[i].run), history[i].first);
        assert_int_equal(admits(&pl_spec_fifo, LATE(1), history[i].run), history[i].second);
        assert_int_equal(admits(&pl_spec_fifo, STRICT(1), history[i].run),
                         history[i].first && history[i].second);
        assert_int_equal(admits(&pl_spec_fifo, STRICT(0), history[i].run), i == 0);
    }
}

/* Figures 3 and 4: segments of two; and what becomes of a window that moves with the head. */
static void segments_of_the_paper(void **unused)
{
    (void)unused;
    assert_true(admits(&pl_spec_fifo, STRICT(1), RUN(1, 2, 3, 4, -1, -2, -3, -4)));
    assert_true(admits(&pl_spec_fifo, STRICT(1), RUN(1, 2, 3, 4, -1, -2, -4, -3)));
    assert_true(admits(&pl_spec_fifo, STRICT(1), RUN(1, 2, 3, 4, -2, -1, -3, -4)));
    assert_true(admits(&pl_spec_fifo, STRICT(1), RUN(1, 2, 3, 4, -2, -1, -4, -3)));
    assert_false(admits(&pl_spec_fifo, STRICT(1), RUN(1, 2, 3, 4, -2, -3, -4)));
    assert_true(admits(&pl_spec_fifo, ORDER(1), RUN(1, 2, 3, 4, -2, -3, -4)));
}

/* The restrictions look at the object from take to take, definition 4 at the whole. */
static void they_are_not_definition_4(void **unused)
{
    (void)unused;
    const int *run = RUN(1, 2, 3, 4, 5, -3, -1, -4, -5, -2);
    assert_true(admits(&pl_spec_fifo, STRICT(2), run));
    assert_true(admits(&pl_spec_fifo, ORDER(2), run));
    assert_true(admits(&pl_spec_fifo, LATE(2), run));
    assert_false(admits(&pl_spec_fifo, STRICT(1), run));
    assert_false(quasi(2, run));
    assert_true(quasi(3, run));
    /* What is still inside is not asked for. */
    assert_true(admits(&pl_spec_fifo, STRICT(1), RUN(3, 4, 5, -4)));
    assert_false(quasi(1, RUN(3, 4, 5, -4)));
}

static void stacks_count_from_the_top(void **unused)
{
    (void)unused;
    assert_true(admits(&pl_spec_lifo, ORDER(1), RUN(1, 2, 3, -2, -1, -3)));
    assert_false(admits(&pl_spec_lifo, ORDER(1), RUN(1, 2, 3, -1, -3, -2)));
    assert_false(admits(&pl_spec_lifo, LATE(1), RUN(1, 2, 3, -2, -1, -3)));
    assert_true(admits(&pl_spec_lifo, LATE(2), RUN(1, 2, 3, -1, -2, -3)));
    /* A push makes another the top: strict begins to count again, lateness does not. */
    assert_true(admits(&pl_spec_lifo, STRICT(1), RUN(1, 2, -1, 3, -2, -3)));
    assert_false(admits(&pl_spec_lifo, LATE(1), RUN(1, 2, -1, 3, -2, -3)));
}

static void priorities_count_those_before(void **unused)
{
    (void)unused;
    assert_true(admits(&pl_spec_pqueue, ORDER(1), RUN(3, 1, 2, -2, -3, -1)));
    assert_false(admits(&pl_spec_pqueue, ORDER(1), RUN(3, 1, 2, -3, -1, -2)));
    assert_false(admits(&pl_spec_pqueue, STRICT(1), RUN(3, 1, 2, -2, -3, -1)));
    assert_true(admits(&pl_spec_pqueue, ORDER(0), RUN(1, 1, 2, -1, -1, -2)));
    assert_true(admits(&pl_spec_pqueue, ORDER(2), RUN(1, 1, 2, -2, -1, -1)));
    assert_false(admits(&pl_spec_pqueue, ORDER(1), RUN(1, 1, 2, -2, -1, -1)));
    assert_true(admits(&pl_spec_max_pqueue, ORDER(1), RUN(3, 1, 2, -2, -1, -3)));
}

static void empty_is_exact_unless_allowed(void **unused)
{
    (void)unused;
    const struct pl_relaxation one = {.on = true, .places = 1, .late = PL_RELAXED_ANY, .empty = 1};
    const struct pl_relaxation late = {.on = true, .places = PL_RELAXED_ANY, .late = 1, .empty = 1};
    assert_false(admits(&pl_spec_fifo, LATE(9), RUN(1, -EMPTY, -1)));
    assert_true(admits(&pl_spec_fifo, &one, RUN(1, -EMPTY, -EMPTY, -1, -EMPTY)));
    assert_false(admits(&pl_spec_fifo, &one, RUN(1, 2, -EMPTY)));
    assert_true(admits(&pl_spec_fifo, &late, RUN(1, -EMPTY, -1, -EMPTY)));
    assert_false(admits(&pl_spec_fifo, &late, RUN(1, -EMPTY, -EMPTY)));
}

/* A value that is pushed again is another head, though it looks the same. */
static void equal_values_are_other_heads(void **unused)
{
    (void)unused;
    assert_true(admits(&pl_spec_lifo, STRICT(2), RUN(5, 6, 7, 1, -7, -6, 1, -5)));
    assert_false(admits(&pl_spec_lifo, LATE(2), RUN(5, 6, 7, 1, -7, -6, 1, -5)));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(histories_of_the_paper),
        cmocka_unit_test(segments_of_the_paper),
        cmocka_unit_test(they_are_not_definition_4),
        cmocka_unit_test(stacks_count_from_the_top),
        cmocka_unit_test(priorities_count_those_before),
        cmocka_unit_test(empty_is_exact_unless_allowed),
        cmocka_unit_test(equal_values_are_other_heads),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
