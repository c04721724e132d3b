/*
 * `plumb stress --strategy`: rounds under the runtime in place of real threads. A round is a test
 * of random calls, as large as a test can be, and some executions of it, drawn by the strategy.
 * What real threads show once in a million rounds, because it needs several switches within a few
 * instructions, D-PCT shows in some hundred.
 */
#include <stdlib.h>
#include <string.h>

#include "cli/check_parts.h"
#include "cli/stresser.h"
#include "plan/marks.h"

enum { EXECUTIONS = 100 /* of a round */ };

static enum pl_status draw(struct pl_stresser *s, struct pl_prng *prng, struct pl_test *test,
                           struct pl_error *error)
{
    const struct pl_checker *c = &s->checker;
    unsigned threads = (unsigned)s->threads, most = PL_TEST_OPERATIONS / threads;
    unsigned length = s->operations < most ? (unsigned)s->operations : most;
    struct pl_test none = {.threads = 1};
    *test = (struct pl_test){.threads = (uint8_t)(threads + 1)};
    if (!pl_marks_draw(test->operation, threads, length, c->calls, (unsigned)pl_check_calls(c),
                       &none, prng))
        return pl_fail(error, PL_ERR_INPUT,
                       "no test of %u threads with %u calls each respects the groups and limits",
                       threads, length);
    for (unsigned t = 1; t <= threads; t++)
        test->length[t] = (uint8_t)length;
    return PL_OK;
}

/* The history that was refuted, as one of real threads would be. */
static void take_history(const struct pl_stresser *s, const struct pl_trial *t,
                         const struct pl_bad *b, struct pl_stressed *out)
{
    const struct pl_against *against = &s->checker.against;
    unsigned count = b->order.operations;
    *out = (struct pl_stressed){0};
    struct pl_history *h = &out->history;
    pl_history_init(h);
    pl_stressed_name_threads(h, (unsigned)s->threads);
    for (unsigned i = 0; i < count; i++) {
        unsigned thread = pl_test_thread(t->test, b->number[i]);
        unsigned call = t->test->operation[b->number[i]];
        struct pl_operation *o = pl_history_add(h);
        *o = against->meant[call].operation;
        o->line = call; /* until the history is sorted */
        o->thread = thread ? thread - 1 : (unsigned)s->threads;
        o->result = pl_stressed_value(h, against, b->called[i].response);
        o->ret = PL_NEVER;
    }
    for (unsigned i = 0; i < b->refuted.events; i++) {
        struct pl_operation *o = &h->operation[b->refuted.event[i] / 2];
        *(b->refuted.event[i] % 2 ? &o->ret : &o->call) = i;
    }
    pl_history_finish(h);
    out->call = calloc(count + 1u, sizeof *out->call);
    PL_ASSERT(out->call);
    for (unsigned i = 0; i < count; i++) {
        out->call[i] = (uint16_t)h->operation[i].line;
        h->operation[i].line = 0;
    }
}

static enum pl_status take_bad(struct pl_stresser *s, struct pl_trial *t, struct pl_error *error)
{
    struct pl_checker *c = &s->checker;
    struct pl_stressed stressed;
    const struct pl_bad *b = t->bad[0];
    enum pl_status status = PL_OK;
    if (b->kind != PL_FINDING_NOT_LINEARIZABLE && s->quiet)
        return PL_OK; /* histories are looked for, nothing else */
    if (b->kind != PL_FINDING_NOT_LINEARIZABLE) {
        s->found++;
        return pl_check_show_bad(c, t, b, error);
    }
    take_history(s, t, b, &stressed);
    struct pl_case question = {
        .spec = c->against.spec, .initial = c->against.initial, .history = &stressed.history};
    if (!s->quiet)
        status = pl_stress_show_history(s, &stressed, &question, error);
    if (s->quiet && !s->bad)
        s->kept = stressed;
    else
        pl_stressed_release(&stressed);
    s->bad++;
    return status;
}

static enum pl_status take_round(struct pl_stresser *s, const struct pl_test *test,
                                 struct pl_error *error)
{
    struct pl_checker *c = &s->checker;
    struct pl_wire_options *o = c->execute.options;
    struct pl_trial t;
    o->strategy = (uint8_t)s->sampling;
    o->depth = (uint8_t)c->settings.depth;
    o->executions = EXECUTIONS;
    o->seed = c->settings.seed + s->done;
    enum pl_status status = pl_check_trial(c, &t, test, c->model ? c->model : "sc", error);
    o->strategy = 0; /* a small test is explored */
    o->executions = 0;
    const struct pl_session *session = &c->execute.session;
    s->done++;
    s->recorded += session->executions * pl_test_count(test);
    s->undecided += !status && t.undecided;
    s->interrupted = s->interrupted || (!status && session->interrupted);
    if (!status && session->findings && !s->quiet) {
        s->found++;
        status = pl_check_show_other(c, &t, NULL, error);
    } else if (!status && t.bads) {
        status = take_bad(s, &t, error);
    }
    pl_trial_release(&t);
    return status;
}

enum pl_status pl_stresser_sample(struct pl_stresser *s, struct pl_error *error)
{
    struct pl_prng prng;
    struct pl_test test;
    enum pl_status status = PL_OK;
    pl_prng_init(&prng, s->checker.settings.seed + s->done);
    while (!status && !pl_stresser_over(s) && !(s->rounds && s->done >= s->rounds)) {
        status = draw(s, &prng, &test, error);
        if (!status)
            status = take_round(s, &test, error);
    }
    return status;
}
