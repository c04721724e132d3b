/* plumb localise: from a long bad history to the few calls that matter. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli/commands.h"
#include "cli/history_report.h"
#include "cli/interrupt.h"
#include "cli/localiser.h"
#include "cli/object_options.h"
#include "cli/option_rows.h"
#include "history/read.h"

static const char usage[] =
    "usage: plumb localise FILE... --history HISTORY --spec SPEC [options] [-- FLAGS]\n"
    "\n"
    "HISTORY is a recorded history of the object that is not linearizable: from `plumb stress`, "
    "or\n"
    "any file that `plumb history` reads. Finds a small test of the object that goes wrong the "
    "same\n"
    "way: calls that make the state, a few at the same time, calls that show the fault. It is "
    "explored\n"
    "and shown as `plumb check` does.\n"
    "\n"
    "options:\n";
static const char examples[] =
    "\n"
    "methods: explore asks for tests near the conflict and explores each to its end; basic, dpct "
    "and\n"
    "heuristic are those of the paper (docs/stress.md), which run each test --repeat times.\n"
    "\n"
    "examples:\n"
    "  plumb localise queue_subject.c --history queue_subject-1.history\n"
    "  plumb localise set.c --spec set --call 'add(&s, 1)' --call 'add(&s, 2)' \\\n"
    "                 --call 'contains(&s, 1)' --history run.edn\n"
    "\n"
    "exit code: 1 a small test was found, 0 the history is good, 2 error, 3 none was found\n";

enum { OPTIONS = 40 };

struct command {
    struct pl_checker checker;
    struct pl_localising how;
    const char *history;
    unsigned format;
};

static size_t make_table(struct pl_option *table, struct command *x)
{
    struct pl_checker *c = &x->checker;
    struct pl_settings *s = &c->settings;
    const struct pl_option all[] = {
        {"--history", "FILE", "the bad history", PL_OPTION_INPUT, &x->history, 0, NULL},
        {"--format", PL_FORMAT_WORDS, "of the history; auto: seen from how it starts",
         PL_OPTION_WORD, &x->format, 0, NULL},
        {"--method", PL_METHOD_WORDS, "which tests are asked, and how", PL_OPTION_WORD,
         &x->how.method, 0, NULL},
        {"--repeat", "N", "executions of a test where they are sampled (1000)", PL_OPTION_NUMBER,
         &x->how.repeat, 1, NULL},
        {"--seconds", "S", "for all tests (60)", PL_OPTION_SECONDS, &x->how.seconds, 0, NULL},
        {"--model", "MODEL", "sc, tso or rc11 (default: sc, then rc11)", PL_OPTION_TEXT, &c->model,
         0, NULL},
        {"--seed", "N", "of the schedules that are sampled (1)", PL_OPTION_NUMBER, &s->seed, 0,
         NULL},
        PL_ROW_JSON(s),
        {"--save", "FILE", "where to save the small test (NAME-N.plumb); `no`: nowhere",
         PL_OPTION_OUTPUT, &s->save, 0, NULL},
        PL_ROW_TRACE(s),
        PL_ROW_COLOUR(s),
        PL_ROW_RACES(s),
    };
    _Static_assert(sizeof all / sizeof all[0] + PL_OBJECT_OPTIONS <= OPTIONS, "room for all");
    memcpy(table, all, sizeof all);
    size_t count = sizeof all / sizeof all[0];
    return count + pl_object_options(table + count, c);
}

/* ---- which call an operation of the history is ---- */

static bool same_arguments(const struct pl_spec *spec, const struct pl_operation *a,
                           const struct pl_operation *b)
{
    unsigned count = pl_words_of(&spec->words, a->code)->arguments;
    return memcmp(a->argument, b->argument, count * sizeof *a->argument) == 0;
}

/* The call with the same arguments; or any with the same code, where values do not matter. */
static enum pl_status find_calls(const struct pl_checker *c, const struct pl_history *h,
                                 uint16_t *call, struct pl_error *error)
{
    const struct pl_against *a = &c->against;
    for (uint32_t i = 0; i < h->count; i++) {
        const struct pl_operation *o = &h->operation[i];
        bool like = false;
        call[i] = PL_CALL_BY_LABEL;
        for (size_t k = 0; k < a->count && call[i] == PL_CALL_BY_LABEL; k++) {
            const struct pl_operation *meant = &a->meant[k].operation;
            if (meant->code != o->code)
                continue;
            like = true;
            if (same_arguments(a->spec, meant, o))
                call[i] = (uint16_t)k;
        }
        if (like)
            continue;
        struct pl_strbuf text;
        pl_strbuf_init(&text);
        pl_operation_print(h, &a->spec->words, o, &text);
        enum pl_status status =
            pl_fail(error, PL_ERR_INPUT,
                    "line %u of the history has %s, which none of the object's calls is", o->line,
                    text.text);
        pl_strbuf_release(&text);
        return status;
    }
    return PL_OK;
}

/* ---- the work ---- */

static enum pl_status localise(struct command *x, struct pl_history *h, enum pl_verdict *verdict,
                               struct pl_error *error)
{
    struct pl_checker *c = &x->checker;
    struct pl_budget budget = {.stop = pl_interrupt_stop()};
    if (x->how.seconds > 0)
        budget.until = pl_check_now() + x->how.seconds;
    struct pl_case question = {
        .spec = c->against.spec, .initial = c->against.initial, .history = h, .budget = &budget};
    struct pl_witness witness;
    struct pl_check_how decided;
    uint16_t *call = calloc(h->count + 1u, sizeof *call);
    PL_ASSERT(call);
    enum pl_status status = find_calls(c, h, call, error);
    pl_witness_init(&witness, h->count);
    enum pl_decision decision = status ? PL_NEITHER : pl_check(&question, 1, &witness, &decided);
    pl_witness_release(&witness);
    *verdict = decision == PL_GOOD ? PL_VERDICT_PASS : PL_VERDICT_UNKNOWN;
    if (!status && decision == PL_BAD) {
        status = pl_localise_history(c, &question, call, &x->how, error);
        if (x->how.found)
            *verdict = PL_VERDICT_VIOLATION;
    }
    free(call);
    return status;
}

static enum pl_status prepare(struct command *x, struct pl_error *error)
{
    struct pl_checker *c = &x->checker;
    enum pl_status status = pl_checker_prepare(c, error);
    if (!status && !x->history)
        status = pl_fail(error, PL_ERR_INPUT,
                         "plumb localise: which --history? plumb stress writes one");
    if (!status && !c->against.spec)
        status = pl_fail(error, PL_ERR_INPUT,
                         "plumb localise: which --spec? plumb history --help lists them");
    return status;
}

static enum pl_status work(struct command *x, enum pl_verdict *verdict, struct pl_error *error)
{
    struct pl_checker *c = &x->checker;
    struct pl_history h;
    enum pl_format format;
    const struct pl_read how = {.words = &c->against.spec->words,
                                .map = c->map,
                                .format = (enum pl_format)x->format,
                                .stop = pl_interrupt_stop(),
                                .fits = c->against.spec->fits,
                                .demand = c->against.spec->demand};
    enum pl_status status = pl_history_read(&h, x->history, &how, &format, error);
    if (status == PL_ERR_LIMIT && *pl_interrupt_stop())
        return PL_OK; /* interrupted: unknown */
    if (status)
        return status;
    c->started = pl_now();
    status = h.count ? localise(x, &h, verdict, error)
                     : pl_fail(error, PL_ERR_INPUT, "%s: no operations; is it the right file?",
                               x->history);
    pl_history_release(&h);
    return status;
}

static int conclude(struct command *x, enum pl_status status, enum pl_verdict verdict,
                    const struct pl_error *error)
{
    struct pl_execute *e = &x->checker.execute;
    const struct pl_located *l = &x->how.located;
    struct pl_strbuf message;
    if (status)
        return pl_execute_fail(e, error);
    pl_strbuf_init(&message);
    const char *kind = json_string_value(json_object_get(json_array_get(e->findings, 0), "kind"));
    if (verdict == PL_VERDICT_VIOLATION)
        pl_strbuf_addf(&message, "%s; from %u calls to %u at the same time, %u before, %u after",
                       kind ? kind : "not shown", l->operations,
                       pl_test_count(&l->test) - l->test.init - l->test.final, l->test.init,
                       l->test.final);
    else
        pl_strbuf_add(&message, verdict == PL_VERDICT_PASS
                                    ? "the history is linearizable: there is nothing to localise"
                                : *pl_interrupt_stop() ? "interrupted; no small test was found"
                                                       : "no small test was found");
    e->session.executions = x->checker.sums.executions;
    e->session.took_seconds = pl_now() - x->checker.started;
    e->tests = l->candidates;
    e->coverage = l->minimal ? "exhaustive" : "sampled";
    int code = pl_execute_conclude(e, verdict, message.text);
    pl_strbuf_release(&message);
    return code;
}

int pl_command_localise(int argc, char **argv)
{
    struct command x = {.history = NULL};
    struct pl_option table[OPTIONS];
    struct pl_error error;
    enum pl_verdict verdict = PL_VERDICT_ERROR;
    int code = 0;
    pl_checker_init(&x.checker);
    const struct pl_object_command command = {usage, examples, table, make_table(table, &x)};
    enum pl_status status = PL_OK;
    if (!pl_object_help(&command, &x.checker, argc, argv, &status, &error)) {
        status = pl_checker_open(&x.checker, "localise", status, &error);
        verdict = PL_VERDICT_UNKNOWN;
        if (!status)
            status = prepare(&x, &error);
        if (!status)
            status = work(&x, &verdict, &error);
        code = conclude(&x, status, verdict, &error);
        pl_execute_release(&x.checker.execute);
    }
    pl_checker_release(&x.checker);
    return code;
}
