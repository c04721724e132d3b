/* One test under one model, run and added up: see check_parts.h. */
#include <string.h>

#include "cli/check_parts.h"
#include "cli/interrupt.h"
#include "cli/sequences.h"
#include "graph/graph.h"

enum pl_status pl_check_session(struct pl_checker *c, struct pl_trial *trial,
                                const uint8_t *choices, struct pl_error *error)
{
    struct pl_execute *e = &c->execute;
    struct pl_plan plan = {
        .program = e->subject.built.program,
        .argv = e->subject.argv,
        .options = e->options,
        .choices = choices,
        .jobs = 1,
        .seconds = c->until > 0 && !choices ? c->until - pl_now() : 0,
        .hang_seconds = c->settings.hang_seconds,
        .progress = false,
        .watch = choices ? NULL : pl_trial_take,
        .context = trial,
    };
    pl_session_release(&e->session);
    if (c->until > 0 && !choices && plan.seconds <= 0)
        plan.seconds = 0.001;
    if (c->limit > 0 && !choices && (plan.seconds <= 0 || plan.seconds > c->limit))
        plan.seconds = c->limit;
    enum pl_status status = pl_session_run(&e->session, &plan, error);
    for (size_t i = 0; c->cover && i < e->session.processes; i++)
        pl_cover_add(c->cover, e->session.process[i]->wire);
    return status;
}

static void add_stats(struct pl_trial_stats *to, const struct pl_trial_stats *s)
{
    to->serial += s->serial;
    to->histories += s->histories;
    to->explained += s->explained;
    to->bad += s->bad;
    to->enumerate.generated += s->enumerate.generated;
    to->enumerate.distinct += s->enumerate.distinct;
    to->enumerate.checked += s->enumerate.checked;
    to->enumerate.orders += s->enumerate.orders;
    to->enumerate.permutations += s->enumerate.permutations;
    to->enumerate.full = to->enumerate.full || s->enumerate.full;
    to->clients.sets += s->clients.sets;
    to->clients.walked += s->clients.walked;
    to->walk.behaviours += s->walk.behaviours;
    to->walk.downsets += s->walk.downsets;
    to->walk.configurations += s->walk.configurations;
    to->walk.pruned += s->walk.pruned;
    to->quasi.orders += s->quasi.orders;
    to->points.behaviours += s->points.behaviours;
    to->points.points += s->points.points;
    to->points.steps += s->points.steps;
    to->quasi.configurations += s->quasi.configurations;
    for (unsigned k = 0; k < sizeof s->waited.bits / sizeof *s->waited.bits; k++) {
        to->waited.bits[k] |= s->waited.bits[k];
        to->returned.bits[k] |= s->returned.bits[k];
    }
}

/* Of the invocations, as bits of the calls. */
static void add_calls(uint64_t *to, const struct pl_test *test, uint64_t invocations)
{
    for (unsigned i = 0; i < pl_test_count(test); i++)
        if (invocations >> i & 1)
            to[test->operation[i] / 64] |= (uint64_t)1 << test->operation[i] % 64;
}

void pl_check_count(struct pl_check_sums *out, const struct pl_trial *t, const struct pl_session *s)
{
    /* The process went on until it was told that one was wrong: how far is chance. */
    const bool ended = t->stats.bad && !t->deciding->all && !s->findings;
    *out =
        (struct pl_check_sums){.executions = ended ? t->stats.executions : s->executions,
                               .blocked = ended ? t->stats.blocked : s->blocked,
                               .cut = s->cut,
                               .beyond = s->beyond,
                               .woken_once = s->woken_once,
                               .steps = s->steps,
                               .stats = t->stats,
                               .threads = s->threads,
                               .interrupted = s->interrupted,
                               .passing = s->passing,
                               .sequences = pl_sequences_are_too_many(t->sequences),
                               .renamed = t->renamed,
                               /* when the time is over a test is only not done */
                               .undecided = t->undecided && !pl_check_over(&t->deciding->budget)};
    for (size_t i = 0; i < s->processes; i++) {
        add_calls(out->answered, t->test, s->process[i]->wire->answered);
        add_calls(out->looked_at, t->test, s->process[i]->wire->looked_at);
    }
}

void pl_check_add_sums(struct pl_check_sums *to, const struct pl_check_sums *s)
{
    to->executions += s->executions;
    to->blocked += s->blocked;
    to->cut += s->cut;
    to->beyond += s->beyond;
    to->woken_once = to->woken_once || s->woken_once;
    to->steps += s->steps;
    add_stats(&to->stats, &s->stats);
    to->threads = s->threads > to->threads ? s->threads : to->threads;
    to->interrupted = to->interrupted || s->interrupted;
    to->passing = to->passing || s->passing;
    to->sequences = to->sequences || s->sequences;
    to->out_of_time = to->out_of_time || s->out_of_time;
    to->renamed = to->renamed || s->renamed;
    to->undecided = to->undecided || s->undecided;
    for (unsigned i = 0; i < PL_CHECK_CALL_WORDS; i++) {
        to->answered[i] |= s->answered[i];
        to->looked_at[i] |= s->looked_at[i];
    }
}

/* Was there no room for an execution because one call, though it was alone, has made most of it?
 * Whether it would ever have returned is not known. */
static bool runs_on(const struct pl_wire *wire)
{
    static const char room[] = "an execution is longer than there is room for";
    return wire->serial_phase && wire->error_call && wire->error_steps > PL_GRAPH_LENGTH / 2 &&
           strncmp(wire->error, room, sizeof room - 1) == 0;
}

/* What the subject asked for cannot be done, or it did what it must not: in which test? */
static enum pl_status refusal(struct pl_checker *c, const struct pl_test *test,
                              struct pl_error *error)
{
    const struct pl_wire *wire = c->execute.session.refused->wire;
    struct pl_error why;
    struct pl_strbuf text;
    pl_execute_refusal(&c->execute, &why);
    pl_strbuf_init(&text);
    pl_test_print(test, c->calls, &text);
    if (runs_on(wire) && wire->error_call <= pl_test_count(test))
        (void)pl_fail(
            error, why.status,
            "%s never returns, or its loops make too many rounds: alone, in the test %s, "
            "it has made %u steps, and there is room for %d; --unroll N bounds the rounds",
            c->calls[test->operation[wire->error_call - 1]].shown, text.text, wire->error_steps,
            PL_GRAPH_LENGTH);
    else
        (void)pl_fail(error, why.status, "%s; in the test %s", why.text, text.text);
    pl_strbuf_release(&text);
    return error->status;
}

/* A setup that fails, an operation that never returns when it is alone: no test can be made. */
static enum pl_status find_fault(struct pl_checker *c, const struct pl_trial *t,
                                 struct pl_error *error)
{
    struct pl_execute *e = &c->execute;
    const struct pl_seen *seen = e->session.findings ? &e->session.seen[0] : NULL;
    bool in_setup = seen && seen->process->wire->setting_up;
    bool never =
        seen && seen->process->wire->serial_phase && seen->finding->kind == PL_FINDING_HANG;
    if (!in_setup && !never)
        return PL_OK;
    struct pl_strbuf test, message;
    struct pl_report report;
    pl_strbuf_init(&test);
    pl_strbuf_init(&message);
    pl_test_print(t->test, c->calls, &test);
    enum pl_status status = pl_execute_report(e, seen, NULL, &report, error);
    if (!status) {
        pl_report_message(&report, seen->finding, &message);
        status = in_setup ? pl_fail(error, PL_ERR_INPUT, "the setup fails: %.900s", message.text)
                          : pl_fail(error, PL_ERR_INPUT,
                                    "one of %.300s never returns, even alone: %.500s", test.text,
                                    message.text);
    }
    pl_strbuf_release(&test);
    pl_strbuf_release(&message);
    return status;
}

/* Answers that the spec cannot be compared with. */
static enum pl_status find_unfit(const struct pl_checker *c, struct pl_error *error)
{
    for (const struct pl_against *a = &c->against; a; a = a->next)
        if (a->unfit)
            return pl_fail(error, PL_ERR_INPUT,
                           "--spec %s: %s answers several values, and which one counts is not "
                           "known; name it, as in --call '%s.value'",
                           a->spec->name, c->calls[a->unfit - 1].shown,
                           c->calls[a->unfit - 1].call);
    return PL_OK;
}

/* Runs the test; what came of it is in the trial and in the session. */
enum pl_status pl_check_trial(struct pl_checker *c, struct pl_trial *t, const struct pl_test *test,
                              const char *model, struct pl_error *error)
{
    struct pl_execute *e = &c->execute;
    static const char *const words[] = {"rc11", "sc", "tso"}; /* PL_MODEL_WORDS */
    for (unsigned i = 0; i < 3; i++)
        c->settings.model = strcmp(words[i], model) == 0 ? i : c->settings.model;
    c->deciding.like = c->clients != NULL;
    c->deciding.budget.stop = pl_interrupt_stop();
    c->deciding.budget.until = c->limit > 0 ? pl_now() + c->limit : c->until;
    if (c->until > 0 && c->deciding.budget.until > c->until)
        c->deciding.budget.until = c->until;
    struct pl_test whole = *test;
    enum pl_status status = PL_OK;
    if (c->deciding.relaxed)
        status = pl_relaxed_complete(&c->relaxed, &whole, error);
    pl_trial_init(t, &whole, c->calls, model, pl_against_given(&c->against) ? &c->against : NULL,
                  &c->deciding);
    pl_trial_options(t, e->options);
    e->options->keep_going = c->keep_going && !e->options->strategy;
    if (!status && c->golden && c->deciding.relaxed)
        pl_golden_attach(c, t);
    else if (!status && c->golden)
        status = pl_golden_run(c, t, error);
    if (!status)
        status = pl_check_split(c, t, error);
    if (!status)
        status = pl_check_session(c, t, NULL, error);
    if (!status && e->session.refused) {
        status = refusal(c, test, error);
    }
    if (!status)
        status = find_fault(c, t, error);
    if (!status && c->against.written)
        status = pl_written_failed(c->against.written, error);
    if (!status)
        status = find_unfit(c, error);
    if (!status && t->sequences && c->golden->answerer.failed) {
        *error = c->golden->answerer.error;
        status = error->status;
    }
    if (!status && t->malformed)
        status = pl_fail(error, PL_ERR_SYSTEM, "the program has damaged what it shares with plumb");
    if (!status && c->observe && !c->shrinking)
        pl_observe_add(c->observe, t);
    return status;
}
