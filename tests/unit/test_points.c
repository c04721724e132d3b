/* Linearization points: the thesis's examples (Figures 3.2 to 3.6), and what each mismatch is. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h> /* after the headers it needs */

#include "check/points.h"
#include "check/wrapped.h"

/*
 * A history in a line: +a is the call of operation a, *a its point, -a its return. Operations are
 * described apart, by letter: "e4" enq(4), "d4" deq() = 4, "d" deq() = empty; of a set "a5" add(5)
 * = true, "A5" add(5) = false, "r5", "R5", "h5", "H5" likewise for del and has.
 */
struct made {
    struct pl_history history;
    struct pl_wrapped wrapped;
    struct pl_order order;
    struct pl_called called[PL_MOST_CALLED];
    struct pl_points points;
    struct pl_mismatch wrong;
    struct pl_points_stats stats;
};

static void describe(struct made *m, unsigned i, const char *what)
{
    bool queue = what[0] == 'e' || what[0] == 'd';
    struct pl_operation o = {0};
    long value = strtol(what + 1, NULL, 10);
    pl_value answer = what[0] >= 'a';
    if (queue) {
        o.code = what[0] == 'e' ? PL_PUT : PL_TAKE;
        o.argument[0] = what[0] == 'e' ? value : 0;
        answer = what[0] == 'e' || !value ? PL_NIL : value;
    } else {
        static const char letters[] = "aArRhH";
        static const uint8_t code[] = {PL_SET_ADD,    PL_SET_ADD,      PL_SET_REMOVE,
                                       PL_SET_REMOVE, PL_SET_CONTAINS, PL_SET_CONTAINS};
        o.code = code[strchr(letters, what[0]) - letters];
        o.argument[0] = value;
    }
    m->called[i].invocation = pl_wrapped_invocation(&m->wrapped, &o);
    m->called[i].response = answer;
}

/* Every event and every point comes after what stands before it in the line. */
static void draw(struct made *m, const char *line)
{
    uint64_t events = 0, points = 0;
    for (; *line; line++) {
        if (*line == ' ')
            continue;
        unsigned i = (unsigned)(line[1] - 'a');
        unsigned event = 2 * i + (*line == '-');
        if (*line == '*') {
            m->points.at[m->points.count] =
                (struct pl_point){.operation = (uint8_t)i, .before = events, .earlier = points};
            points |= (uint64_t)1 << m->points.count++;
        } else {
            m->order.before[event] = events;
            events |= pl_event_bit(event);
            for (unsigned k = 0; k < m->points.count; k++)
                m->points.at[k].after |= pl_event_bit(event);
        }
        line++;
    }
    for (unsigned i = 0; i < m->order.operations; i++)
        if (!(events >> (2 * i + 1) & 1))
            m->order.pending |= (uint32_t)1 << i;
}

/* The kind of mismatch of the history; operations in order, one word each. */
static enum pl_mismatch_kind of(const struct pl_spec *spec, const char *operations,
                                const char *line)
{
    static struct made m;
    struct pl_behaviour behaviour = {&m.order, m.called, false};
    m = (struct made){.points.clocked = true};
    pl_history_init(&m.history);
    pl_history_finish(&m.history);
    pl_wrapped_init(&m.wrapped, spec, 0, &m.history);
    for (const char *at = operations; *at; at += strcspn(at, " ") + (at[strcspn(at, " ")] == ' '))
        describe(&m, m.order.operations++, at);
    draw(&m, line);
    enum pl_decision decision =
        pl_points_decide(&m.wrapped.machine, &behaviour, &m.points, NULL, &m.wrong, &m.stats);
    assert_int_equal(decision, m.wrong.kind == PL_MISMATCH_NONE ? PL_GOOD : PL_BAD);
    pl_wrapped_release(&m.wrapped);
    pl_history_release(&m.history);
    return m.wrong.kind;
}

#define SET(operations, line)   of(&pl_spec_set, operations, line)
#define QUEUE(operations, line) of(&pl_spec_fifo, operations, line)

/* Figure 3.2: every operation has a fixed point, and their order is the linearization. */
static void set_with_fixed_points_follows_them(void **unused)
{
    (void)unused;
    assert_int_equal(SET("a1 a2 r1", "+a+b*b*a-a+c-b*c-c"), PL_MISMATCH_NONE);
    assert_int_equal(SET("a1 r1", "+a+b*b*a-a-b"), PL_MISMATCH_ANSWER);
    assert_int_equal(SET("a1 r1", "+a+b*a*b-a-b"), PL_MISMATCH_NONE);
}

/* Figure 3.3: remove(5) = false overlaps add(5), remove(5), add(5), remove(5): three segments. */
static void set_operation_without_a_point_needs_a_segment(void **unused)
{
    (void)unused;
    const char *five = "R5 a5 r5 a5 r5";
    assert_int_equal(SET(five, "+a+b*b-b+c*c-c+d*d-d+e*e-e-a"), PL_MISMATCH_NONE);
    /* Only where 5 is inside: none. */
    assert_int_equal(SET(five, "+b*b-b+a-a+c*c-c+d*d-d+e*e-e"), PL_MISMATCH_MOMENT);
    assert_int_equal(SET(five, "+b*b-b+c*c-c+d*d+a-a-d+e*e-e"), PL_MISMATCH_MOMENT);
    assert_int_equal(SET(five, "+b*b-b+c*c-c+a-a+d*d-d+e*e-e"), PL_MISMATCH_NONE);
    /* Appendix A.3: an unsuccessful add, contains with both answers. */
    assert_int_equal(SET("A5 a5 r5", "+a+b*b-b+c*c-c-a"), PL_MISMATCH_NONE);
    assert_int_equal(SET("A5 a5 r5", "+b*b-b+c*c+a-a-c"), PL_MISMATCH_MOMENT);
    assert_int_equal(SET("H5 a5 r5", "+b*b+a-b+c*c-a-c"), PL_MISMATCH_NONE);
    assert_int_equal(SET("h5 a5 r5", "+a+b*b-b+c*c-c-a"), PL_MISMATCH_NONE);
    assert_int_equal(SET("h5 a5 r5", "+a-a+b*b-b+c*c-c"), PL_MISMATCH_MOMENT);
}

/* Figure 3.4. */
static void queue_with_fixed_points_follows_them(void **unused)
{
    (void)unused;
    assert_int_equal(QUEUE("e1 e2 d2", "+a+b*b+c*c-c*a-a-b"), PL_MISMATCH_NONE);
    assert_int_equal(QUEUE("e1 e2 d2", "+a+b*a*b+c*c-c-a-b"), PL_MISMATCH_ANSWER);
}

/* Figures 3.5 and 3.6: an empty take overlaps the last four, three operations. */
static void empty_take_needs_a_moment_when_all_is_gone(void **unused)
{
    (void)unused;
    assert_int_equal(QUEUE("d e4 e3 d4 d3 e5 e3", "+b*b-b+c*c-c+a+d*d-d+e*e-e+f*f-f+g*g-g-a"),
                     PL_MISMATCH_NONE);
    assert_int_equal(QUEUE("d e4 e3 d4 e5 d3", "+b*b-b+c*c-c+a+d*d-d+e*e-e+f*f-f-a"),
                     PL_MISMATCH_MOMENT);
}

static void the_last_point_counts(void **unused)
{
    (void)unused;
    assert_int_equal(QUEUE("e1 e2 d2", "+a*a+b*b+c*c-c*a-a-b"), PL_MISMATCH_NONE);
    assert_int_equal(QUEUE("e1 e2 d1", "+a*a+b*b+c*c-c*a-a-b"), PL_MISMATCH_ANSWER);
}

static void a_point_is_between_call_and_return(void **unused)
{
    (void)unused;
    assert_int_equal(QUEUE("e1 d1", "+a+b*a*b-a-b"), PL_MISMATCH_NONE); /* one helps the other */
    assert_int_equal(QUEUE("e1 d1", "+b*a+a*b-a-b"), PL_MISMATCH_OUTSIDE);
    assert_int_equal(QUEUE("e1 d1", "+a-a+b*a*b-b"), PL_MISMATCH_OUTSIDE);
}

static void an_operation_that_changes_something_needs_a_point(void **unused)
{
    (void)unused;
    assert_int_equal(QUEUE("e1 d1", "+a-a+b*b-b"), PL_MISMATCH_CHANGE);
    assert_int_equal(QUEUE("e1 d1", "+a*a-a+b-b"), PL_MISMATCH_CHANGE);
    assert_int_equal(QUEUE("e1 d1", "+a*a+b*b-b"), PL_MISMATCH_NONE); /* enq(1) is pending */
}

/* P4: contains(5) and then contains(5), on one thread, beside add(5) that nothing orders with them.
 */
static enum pl_mismatch_kind beside_add(const char *first, const char *second)
{
    static struct made m;
    struct pl_behaviour behaviour = {&m.order, m.called, false};
    m = (struct made){.order.operations = 3, .points.count = 1};
    pl_history_init(&m.history);
    pl_history_finish(&m.history);
    pl_wrapped_init(&m.wrapped, &pl_spec_set, 0, &m.history);
    describe(&m, 0, "a5");
    describe(&m, 1, first);
    describe(&m, 2, second);
    for (unsigned event = 3; event < 6; event++)
        for (unsigned before = 2; before < event; before++)
            m.order.before[event] |= pl_event_bit(before);
    m.order.before[1] = pl_event_bit(0);
    m.points.at[0] = (struct pl_point){.before = pl_event_bit(0), .after = pl_event_bit(1)};
    (void)pl_points_decide(&m.wrapped.machine, &behaviour, &m.points, NULL, &m.wrong, &m.stats);
    pl_wrapped_release(&m.wrapped);
    pl_history_release(&m.history);
    return m.wrong.kind;
}

static void without_a_clock_operations_without_a_point_keep_their_order(void **unused)
{
    (void)unused;
    assert_int_equal(beside_add("H5", "h5"), PL_MISMATCH_NONE);
    assert_int_equal(beside_add("h5", "H5"), PL_MISMATCH_MOMENT);
}

/* add(1) and add(2), then add(4) and add(8), two and two in any order, beside read() = 1: there is
   a moment for it only if add(1) is the first, though after both the state is the same. */
static void a_moment_is_needed_in_every_order(void **unused)
{
    static struct made m;
    const struct pl_behaviour behaviour = {&m.order, m.called, false};
    (void)unused;
    m = (struct made){.order.operations = 5, .points = {.count = 4, .clocked = true}};
    pl_history_init(&m.history);
    pl_history_finish(&m.history);
    pl_wrapped_init(&m.wrapped, &pl_spec_counter, 0, &m.history);
    for (unsigned i = 0; i < 5; i++) {
        struct pl_operation o = {.code = i < 4 ? PL_COUNTER_ADD : PL_COUNTER_READ};
        o.argument[0] = i < 4 ? 1 << i : 0;
        m.called[i].invocation = pl_wrapped_invocation(&m.wrapped, &o);
        m.called[i].response = i < 4 ? PL_ANY : 1;
        m.order.before[2 * i + 1] = 0x155; /* all calls */
        if (i < 4)
            m.points.at[i] = (struct pl_point){
                .operation = (uint8_t)i, .before = 0x155, .after = 0x2aa, .earlier = i < 2 ? 0 : 3};
    }
    assert_int_equal(
        pl_points_decide(&m.wrapped.machine, &behaviour, &m.points, NULL, &m.wrong, &m.stats),
        PL_BAD);
    assert_int_equal(m.wrong.kind, PL_MISMATCH_MOMENT);
    pl_wrapped_release(&m.wrapped);
    pl_history_release(&m.history);
}

/* One after the other, each costs its point and one question: no search. */
static void cost_is_linear(void **unused)
{
    (void)unused;
    static struct made m;
    uint64_t steps[2];
    for (unsigned half = 0; half < 2; half++) {
        struct pl_behaviour behaviour = {&m.order, m.called, false};
        m = (struct made){.points.clocked = true};
        pl_history_init(&m.history);
        pl_history_finish(&m.history);
        pl_wrapped_init(&m.wrapped, &pl_spec_fifo, 0, &m.history);
        m.order.operations = half ? 30 : 15;
        for (unsigned i = 0; i < m.order.operations; i++) { /* all overlap; points one by one */
            char what[8];
            (void)snprintf(what, sizeof what, "e%u", i + 1);
            describe(&m, i, what);
            m.points.at[i] = (struct pl_point){.operation = (uint8_t)i,
                                               .before = 0x5555555555555555u,
                                               .after = 0xaaaaaaaaaaaaaaaau,
                                               .earlier = ((uint64_t)1 << i) - 1};
        }
        m.points.count = m.order.operations;
        assert_int_equal(
            pl_points_decide(&m.wrapped.machine, &behaviour, &m.points, NULL, &m.wrong, &m.stats),
            PL_GOOD);
        steps[half] = m.stats.steps;
        assert_int_equal(m.stats.points, m.order.operations);
        pl_wrapped_release(&m.wrapped);
        pl_history_release(&m.history);
    }
    assert_int_equal(steps[1], 2 * steps[0]);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(set_with_fixed_points_follows_them),
        cmocka_unit_test(set_operation_without_a_point_needs_a_segment),
        cmocka_unit_test(queue_with_fixed_points_follows_them),
        cmocka_unit_test(empty_take_needs_a_moment_when_all_is_gone),
        cmocka_unit_test(the_last_point_counts),
        cmocka_unit_test(a_point_is_between_call_and_return),
        cmocka_unit_test(an_operation_that_changes_something_needs_a_point),
        cmocka_unit_test(without_a_clock_operations_without_a_point_keep_their_order),
        cmocka_unit_test(a_moment_is_needed_in_every_order),
        cmocka_unit_test(cost_is_linear),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
