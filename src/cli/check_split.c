/*
 * Serial runs for operations that may fail or take effect late: see check_parts.h.
 *
 * A history without an operation that failed, or with one that took effect after those behind it in
 * its thread, asks the tree of serial runs for orders that the test's threads never take. So they
 * are run in addition, of the same test in which each such operation has a thread of its own:
 *
 *     cancel() | cancel(),try_take()      →      cancel() | try_take() | cancel()
 *
 * An operation of a group stays where it is: nobody else may call it.
 */
#include <string.h>

#include "cli/check_parts.h"

static const double MOST_ORDERS =
    20000; /* a limit of time: without them a trial may be undecided */

/* Of the threads of a test, not of main. */
static bool is_moved(const struct pl_test *test, const struct pl_call *calls, unsigned i)
{
    const struct pl_marks *m = &calls[test->operation[i]].marks;
    unsigned thread = pl_test_thread(test, i);
    bool is_followed = i + 1 < pl_test_count(test) && pl_test_thread(test, i + 1) == thread;
    return thread && is_followed && !m->group && (m->may_fail || m->late || m->aside);
}

/* In how many orders the threads can take turns. */
static double orders_of(const struct pl_test *test)
{
    double orders = 1;
    unsigned done = 0;
    for (unsigned c = 1; c < test->threads; c++)
        for (unsigned k = 1; k <= test->length[c]; k++)
            orders = orders * ++done / k;
    return orders;
}

/* place[i]: which invocation of `test` the i-th of `out` is. False: there is no need, or no room.
 */
static bool split(const struct pl_test *test, const struct pl_call *calls, struct pl_test *out,
                  uint8_t *place)
{
    unsigned at = 0, number = 0, moved[PL_TEST_OPERATIONS], count = 0;
    *out = (struct pl_test){.threads = 1, .init = test->init, .final = test->final};
    out->length[0] = (uint8_t)(test->init + test->final);
    for (; number < test->init; number++)
        place[at++] = (uint8_t)number;
    for (unsigned c = 1; c < test->threads; c++) {
        unsigned before = at;
        for (unsigned k = 0; k < test->length[c]; k++, number++)
            if (is_moved(test, calls, number))
                moved[count++] = number;
            else
                place[at++] = (uint8_t)number;
        out->length[out->threads++] = (uint8_t)(at - before);
    }
    if (!count || out->threads + count > PL_TEST_THREADS)
        return false;
    for (unsigned k = 0; k < count; k++) {
        place[at++] = (uint8_t)moved[k];
        out->length[out->threads++] = 1;
    }
    for (; number < pl_test_count(test); number++)
        place[at++] = (uint8_t)number;
    for (unsigned i = 0; i < at; i++)
        out->operation[i] = test->operation[place[i]];
    return orders_of(out) <= MOST_ORDERS;
}

enum pl_status pl_check_split(struct pl_checker *c, struct pl_trial *t, struct pl_error *error)
{
    struct pl_test apart;
    struct pl_wire_check *check = &c->execute.options->check;
    if (t->against || c->golden || c->deciding.none || !split(t->test, c->calls, &apart, t->place))
        return PL_OK;
    const struct pl_wire_check before = *check;
    struct pl_trial wire = {
        .test = &apart, .calls = c->calls, .model = t->model, .deciding = t->deciding};
    pl_trial_options(&wire, c->execute.options);
    check->only_serial = 1;
    t->split = true;
    enum pl_status status = pl_check_session(c, t, NULL, error);
    t->split = false;
    *check = before;
    return status;
}
