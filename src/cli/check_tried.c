/*
 * What the operations of a golden implementation are: it has no words, so they are tried, alone.
 *
 *     deq() = e      enq(1), deq() = 1, deq() = e
 *
 * Then deq is a take, which answers e (or waits) when there is nothing, and enq(1) a put. A read of
 * a register answers the value twice; a put of what an empty take answers is not known for one.
 */
#include <string.h>

#include "cli/check_parts.h"
#include "cli/sequences.h"

enum { PUT, FIRST, SECOND }; /* invocations of the test */

/* How many arguments besides the object; one of them is a number. */
static bool has_arguments(const struct pl_call *call, unsigned count, int64_t *value)
{
    struct pl_error ignored;
    int64_t argument[PL_CALL_ARGUMENTS];
    unsigned given = call->arguments;
    if (call->is_table)
        argument[0] = call->argument[0];
    else if (pl_call_numbers(call, argument, PL_CALL_ARGUMENTS, &given, &ignored))
        return false;
    *value = argument[0];
    return given == count;
}

/* What an invocation does in a state, and the state then. */
struct tried {
    enum pl_step step;
    pl_value response;
    uint32_t next;
};

static struct tried try(struct pl_trial *t, uint32_t state, unsigned invocation)
{
    struct tried out = {.next = state};
    out.step =
        pl_step(t->judge[0].machine, state, t->invocation[invocation], 0, &out.response, &out.next);
    return out;
}

static bool same(const struct tried *a, const struct tried *b)
{
    return a->step == b->step && (a->step != PL_STEP_ANSWERS || a->response == b->response);
}

static void try_pair(struct pl_checker *c, struct pl_trial *t, int64_t value)
{
    unsigned put = t->test->operation[PUT], take = t->test->operation[FIRST];
    struct pl_relaxed_empty *e = &c->relaxed.empty[take];
    struct tried fresh = try(t, t->judge[0].machine->start, FIRST);
    struct tried puts = try(t, t->judge[0].machine->start, PUT);
    struct tried takes = try(t, puts.next, FIRST), then = try(t, takes.next, SECOND);
    if (puts.step != PL_STEP_ANSWERS || takes.step != PL_STEP_ANSWERS || same(&fresh, &takes) ||
        !same(&fresh, &then))
        return;
    const struct pl_response_text *answer = &t->responses.at[takes.response];
    if (pl_against_last(answer->bytes, answer->length) != value)
        return;
    c->relaxed.role[put] = PL_ROLE_PUT;
    c->relaxed.role[take] = PL_ROLE_TAKE;
    e->waits = fresh.step == PL_STEP_BLOCKS;
    if (e->waits)
        return;
    answer = &t->responses.at[fresh.response];
    e->length = answer->length;
    memcpy(e->bytes, answer->bytes, answer->length);
}

enum pl_status pl_golden_try_roles(struct pl_checker *c, struct pl_error *error)
{
    int64_t value, none;
    for (size_t take = 0; take < c->count; take++)
        for (size_t put = 0; put < c->count && has_arguments(&c->calls[take], 0, &none); put++) {
            if (!has_arguments(&c->calls[put], 1, &value))
                continue;
            const struct pl_test test = {.threads = 1,
                                         .init = SECOND + 1,
                                         .length = {SECOND + 1},
                                         .operation = {(uint8_t)put, (uint8_t)take, (uint8_t)take}};
            struct pl_trial t;
            pl_trial_init(&t, &test, c->calls, "sc", NULL, &c->deciding);
            pl_golden_attach(c, &t);
            try_pair(c, &t, value);
            pl_trial_release(&t);
            if (c->golden->answerer.failed) {
                *error = c->golden->answerer.error;
                return error->status;
            }
        }
    return PL_OK;
}
