/* The deciders of `plumb check` on examples one can follow by hand. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h> /* after the headers it needs */

#include "check/derived.h"
#include "check/enumerate.h"
#include "check/serial.h"
#include "check/walk.h"
#include "check/wrapped.h"

enum { MOST = 12, PENDING = -1 };

struct call {
    uint8_t code;
    pl_value argument, answer; /* PENDING: it never returned */
};

/* An execution of one of the built-in specs. */
struct fixture {
    struct pl_history history;
    struct pl_wrapped wrapped;
    struct pl_walk *walk;
    struct pl_order order;
    struct pl_called called[MOST];
    struct pl_behaviour behaviour;
    struct pl_refuted refuted;
};

static void set_up(struct fixture *f, const struct pl_spec *spec, pl_value initial)
{
    *f = (struct fixture){.walk = pl_walk_new()};
    pl_history_init(&f->history);
    pl_history_finish(&f->history);
    pl_wrapped_init(&f->wrapped, spec, initial, &f->history);
}

static void tear_down(struct fixture *f)
{
    pl_wrapped_release(&f->wrapped);
    pl_history_release(&f->history);
    pl_walk_free(f->walk);
}

/* `line` is the order of events: "0( 1( 0) 1)"; it is total. */
static void line_up(struct fixture *f, const char *line)
{
    uint64_t before = 0;
    memset(f->order.before, 0, sizeof f->order.before);
    for (; *line; line += 2 + (line[2] == ' ')) {
        unsigned event = 2 * (unsigned)(line[0] - '0') + (line[1] == ')');
        f->order.before[event] = before;
        before |= pl_event_bit(event);
    }
}

static void calls(struct fixture *f, const struct call *call, unsigned count)
{
    f->order = (struct pl_order){.operations = count};
    for (unsigned i = 0; i < count; i++) {
        struct pl_operation o = {.code = call[i].code, .argument = {call[i].argument}};
        f->called[i] =
            (struct pl_called){pl_wrapped_invocation(&f->wrapped, &o), call[i].answer, i, false};
        if (call[i].answer == PENDING)
            f->order.pending |= 1u << i;
    }
    f->behaviour = (struct pl_behaviour){&f->order, f->called, false};
}

static enum pl_decision decide(struct fixture *f)
{
    return pl_walk(f->walk, &f->wrapped.machine, &f->behaviour, NULL, &f->refuted);
}

static void lost_increment_is_bad_however_the_calls_fell(void **unused)
{
    (void)unused;
    struct fixture f;
    set_up(&f, &pl_spec_counter, 0);
    static const struct call call[] = {
        {PL_COUNTER_INC, 0, 0}, {PL_COUNTER_INC, 0, 0}, {PL_COUNTER_READ, 0, 1}};
    calls(&f, call, 3);
    line_up(&f, "0( 1( 0) 1) 2( 2)");
    assert_int_equal(decide(&f), PL_BAD);
    struct pl_nearest nearest;
    assert_int_equal(pl_serial_history(&f.wrapped.machine, &f.behaviour, f.refuted.event,
                                       f.refuted.events, NULL, &nearest),
                     PL_BAD);
    assert_int_equal(nearest.count, 2);
    assert_int_equal(nearest.near[0].length, 1); /* inc; then the other answers 1, not 0 */
    assert_int_equal(nearest.near[0].answers, 1);
    assert_int_equal(nearest.near[0].answer[0], 1);
    tear_down(&f);
}

/* The order says nothing about the two: one history is right, another is not. */
static void one_bad_extension_is_enough(void **unused)
{
    (void)unused;
    struct fixture f;
    set_up(&f, &pl_spec_register, 0);
    static const struct call call[] = {{PL_REGISTER_WRITE, 1, PL_NIL}, {PL_REGISTER_READ, 0, 0}};
    calls(&f, call, 2);
    assert_int_equal(decide(&f), PL_BAD);
    assert_int_equal(f.refuted.events, 4);
    assert_int_equal(f.refuted.event[0], 0); /* write ( ) read ( ) */
    assert_int_equal(f.refuted.event[1], 1);
    assert_int_equal(f.refuted.at, 3);
    f.order.before[1] = pl_event_bit(2); /* the read is called before the write returns */
    assert_int_equal(decide(&f), PL_GOOD);
    f.order.before[1] = 0;
    struct pl_nearest nearest; /* without a clock the order itself is the history */
    assert_int_equal(pl_serial_order(&f.wrapped.machine, &f.behaviour, NULL, &nearest), PL_GOOD);
    assert_int_equal(nearest.near[0].length, 2);
    assert_int_equal(nearest.near[0].order[0], 1);
    tear_down(&f);
}

/* Line-Up, Figure 9: wait, and set, reset, set: nobody may wait for ever. */
static void waiter_of_a_set_event_has_no_reason_to_block(void **unused)
{
    (void)unused;
    struct fixture f;
    set_up(&f, &pl_spec_event, 0);
    static const struct call call[] = {{PL_EVENT_WAIT, 0, PENDING},
                                       {PL_EVENT_SET, 0, PL_NIL},
                                       {PL_EVENT_RESET, 0, PL_NIL},
                                       {PL_EVENT_SET, 0, PL_NIL}};
    calls(&f, call, 4);
    line_up(&f, "0( 1( 1) 2( 2) 3( 3)");
    assert_int_equal(decide(&f), PL_GOOD); /* merely unfinished */
    f.behaviour.stuck = true;
    assert_int_equal(decide(&f), PL_BAD);
    assert_int_equal(f.refuted.unjustified, 0);
    assert_int_equal(f.refuted.at, f.refuted.events);
    assert_int_equal(f.refuted.events, 7);
    calls(&f, call, 3); /* without the last set it blocks by right */
    f.behaviour.stuck = true;
    line_up(&f, "0( 1( 1) 2( 2)");
    assert_int_equal(decide(&f), PL_GOOD);
    tear_down(&f);
}

/* Each pending operation needs a reason of its own. */
static void every_pending_operation_is_asked(void **unused)
{
    (void)unused;
    struct fixture f;
    set_up(&f, &pl_spec_semaphore, 0);
    static const struct call call[] = {{PL_SEMAPHORE_ACQUIRE, 0, PENDING},
                                       {PL_SEMAPHORE_RELEASE, 0, PENDING}};
    calls(&f, call, 2);
    f.behaviour.stuck = true;
    assert_int_equal(decide(&f), PL_BAD);
    assert_int_equal(f.refuted.unjustified, 1);
    tear_down(&f);
}

/*
 * The thesis, Figure 3.11: two histories with the same answers and the same state on the way,
 * the second of them wrong. Nothing that is remembered of the first may excuse it.
 */
static void a_history_does_not_excuse_another(void **unused)
{
    (void)unused;
    struct fixture f;
    set_up(&f, &pl_spec_set, 0);
    static const struct call call[] = {
        {PL_SET_ADD, 7, 1}, {PL_SET_REMOVE, 7, 1}, {PL_SET_ADD, 7, 1}, {PL_SET_CONTAINS, 7, 0}};
    static const char good[] = "0( 0) 1( 1) 2( 3( 2) 3)", bad[] = "0( 0) 1( 1) 2( 2) 3( 3)";
    const struct pl_enumerate_options options = {.lazy_reads = true, .hash = true};
    struct pl_enumerate *n = pl_enumerate_new(&options);
    calls(&f, call, 4);
    for (unsigned k = 0; k < 4; k++) {
        line_up(&f, k % 2 ? bad : good);
        assert_int_equal(decide(&f), k % 2 ? PL_BAD : PL_GOOD);
        assert_int_equal(pl_enumerate(n, &f.wrapped.machine, &f.behaviour, 8, NULL, NULL),
                         k % 2 ? PL_BAD : PL_GOOD);
    }
    assert_int_equal(pl_enumerate_stats(n)->distinct, 2);
    pl_enumerate_free(n);
    tear_down(&f);
}

static void a_spent_budget_is_no_verdict(void **unused)
{
    (void)unused;
    struct fixture f;
    const bool stop = true;
    const struct pl_budget budget = {.stop = &stop};
    const struct pl_enumerate_options options = {0};
    struct pl_enumerate *n = pl_enumerate_new(&options);
    set_up(&f, &pl_spec_register, 0);
    struct call call[MOST];
    for (unsigned i = 0; i < MOST; i++)
        call[i] = (struct call){PL_REGISTER_WRITE, i, PL_NIL};
    calls(&f, call, MOST);
    assert_int_equal(pl_walk(f.walk, &f.wrapped.machine, &f.behaviour, &budget, &f.refuted),
                     PL_NEITHER);
    assert_false(f.refuted.untried);
    assert_int_equal(pl_enumerate(n, &f.wrapped.machine, &f.behaviour, 0, &budget, &f.refuted),
                     PL_NEITHER);
    pl_enumerate_free(n);
    tear_down(&f);
}

static void two_answers_to_the_same_are_reported(void **unused)
{
    (void)unused;
    struct pl_derived d;
    struct pl_conflict conflict = {0};
    const struct pl_called first[] = {{0, 5, 0, false}, {1, 7, 0, false}},
                           other[] = {{0, 5, 0, false}, {1, 8, 0, false}},
                           swapped[] = {{1, 7, 0, false}, {0, 5, 0, false}};
    pl_derived_init(&d);
    assert_true(pl_derived_add(&d, first, 2, false, NULL));
    assert_true(pl_derived_add(&d, first, 2, false, NULL));
    assert_true(pl_derived_add(&d, swapped, 2, true, NULL));
    assert_true(pl_derived_add(&d, first, 1, false, NULL)); /* a shorter run says nothing new */
    assert_false(pl_derived_add(&d, other, 2, false, &conflict));
    assert_int_equal(conflict.place, 1);
    assert_false(conflict.blocked);
    assert_int_equal(conflict.answer, 7);
    assert_false(pl_derived_add(&d, swapped, 2, false, &conflict));
    assert_int_equal(conflict.place, 1);
    assert_true(conflict.blocked);
    assert_false(pl_derived_add(&d, first, 1, true, &conflict));
    assert_int_equal(conflict.place, 0);
    assert_int_equal(conflict.answer, 5);
    pl_derived_release(&d);
}

static void orders_in_a_circle_are_refused(void **unused)
{
    (void)unused;
    struct pl_order order = {.operations = 2, .before = {[0] = 1 << 3, [2] = 1 << 1}}, closed;
    assert_false(pl_order_close(&order, &closed));
    order.before[2] = 0;
    assert_true(pl_order_close(&order, &closed));
    assert_int_equal(closed.before[1], 1 << 0 | 1 << 2 | 1 << 3);
}

/* write(1) returns, a read after it answers 0 and another 1: right if the write may come late. */
static void a_late_effect_may_come_after_the_return(void **unused)
{
    (void)unused;
    struct fixture f;
    set_up(&f, &pl_spec_register, 0);
    static const struct call call[] = {
        {PL_REGISTER_WRITE, 1, PL_NIL}, {PL_REGISTER_READ, 0, 0}, {PL_REGISTER_READ, 0, 1}};
    calls(&f, call, 3);
    line_up(&f, "0( 0) 1( 1) 2( 2)");
    assert_int_equal(decide(&f), PL_BAD);
    pl_order_late(&f.order, 1);
    assert_int_equal(decide(&f), PL_GOOD);
    line_up(&f, "0( 0) 2( 2) 1( 1)"); /* seen, and then no more */
    pl_order_late(&f.order, 1);
    assert_int_equal(decide(&f), PL_BAD);
    line_up(&f, "2( 2) 0( 0) 1( 1)"); /* but not before the call */
    pl_order_late(&f.order, 1);
    assert_int_equal(decide(&f), PL_BAD);
    tear_down(&f);
}

static void a_take_that_waits_does_not_answer_empty(void **unused)
{
    (void)unused;
    struct fixture f;
    pl_value response;
    uint32_t next;
    set_up(&f, &pl_spec_fifo, 0);
    const struct pl_operation take = {.code = PL_TAKE};
    uint32_t answers = pl_wrapped_invocation(&f.wrapped, &take);
    uint32_t waits = pl_wrapped_waiting(&f.wrapped, &take, PL_NIL);
    assert_int_not_equal(answers, waits);
    struct pl_machine *m = &f.wrapped.machine;
    assert_int_equal(pl_step(m, m->start, answers, 0, &response, &next), PL_STEP_ANSWERS);
    assert_true(response == PL_NIL);
    assert_int_equal(pl_step(m, m->start, waits, 0, &response, &next), PL_STEP_BLOCKS);
    tear_down(&f);
}

static void a_failure_that_is_allowed_contradicts_nothing(void **unused)
{
    (void)unused;
    struct pl_derived d;
    pl_derived_init(&d);
    const struct pl_called took[] = {{0, 5, 0, false}}, failed[] = {{0, 6, 0, true}},
                           other[] = {{0, 7, 0, false}};
    assert_true(pl_derived_add(&d, took, 1, false, NULL));
    assert_true(pl_derived_add(&d, failed, 1, false, NULL));
    assert_false(pl_derived_add(&d, other, 1, false, NULL));
    pl_derived_release(&d);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(lost_increment_is_bad_however_the_calls_fell),
        cmocka_unit_test(one_bad_extension_is_enough),
        cmocka_unit_test(waiter_of_a_set_event_has_no_reason_to_block),
        cmocka_unit_test(every_pending_operation_is_asked),
        cmocka_unit_test(a_history_does_not_excuse_another),
        cmocka_unit_test(a_spent_budget_is_no_verdict),
        cmocka_unit_test(two_answers_to_the_same_are_reported),
        cmocka_unit_test(orders_in_a_circle_are_refused),
        cmocka_unit_test(a_late_effect_may_come_after_the_return),
        cmocka_unit_test(a_take_that_waits_does_not_answer_empty),
        cmocka_unit_test(a_failure_that_is_allowed_contradicts_nothing),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
