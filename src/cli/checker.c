/* The work of `plumb check`: see checker.h. */
#include "cli/checker.h"

#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "cli/show.h"
#include "cli/why.h"
#include "shrink/shrink.h"

static const double USUAL_SECONDS = 60, SHRINK_SECONDS = 30;

void pl_checker_init(struct pl_checker *c)
{
    *c = (struct pl_checker){0};
    pl_settings_init(&c->settings);
    c->settings.explores = true;
}

void pl_checker_release(struct pl_checker *c)
{
    for (size_t i = 0; i < c->count; i++)
        pl_call_release(&c->calls[i]);
    free(c->calls);
    free(c->driver_text);
    free(c->own_spec);
    free(c->given);
    if (c->spec)
        pl_against_release(&c->against);
    pl_driver_release(&c->driver);
    pl_texts_release(&c->call_texts);
    pl_texts_release(&c->tests);
    pl_settings_release(&c->settings);
}

/* ---- before the tests ---- */

static bool is_source(const char *file, bool *cxx)
{
    const char *dot = strrchr(file, '.');
    static const char *const endings[] = {".cc", ".cpp", ".cxx", ".c++", ".C"};
    *cxx = false;
    if (!dot)
        return false;
    for (size_t i = 0; i < sizeof endings / sizeof *endings; i++)
        *cxx = *cxx || strcmp(dot, endings[i]) == 0;
    return *cxx || strcmp(dot, ".c") == 0;
}

static enum pl_status read_calls(struct pl_checker *c, struct pl_error *error)
{
    enum { MOST = 200 };
    if (c->call_texts.count > MOST)
        return pl_fail(error, PL_ERR_INPUT, "--call: at most %d", MOST);
    c->calls = calloc(c->call_texts.count, sizeof *c->calls);
    PL_ASSERT(c->calls);
    for (; c->count < c->call_texts.count; c->count++) {
        enum pl_status status =
            pl_call_parse(&c->calls[c->count], c->call_texts.text[c->count], error);
        if (status)
            return status;
    }
    pl_calls_name(c->calls, c->count);
    return PL_OK;
}

static enum pl_status write_driver(struct pl_checker *c, struct pl_error *error)
{
    struct pl_strbuf text;
    char path[PATH_MAX];
    bool cxx;
    const char *file = c->settings.inputs.text[0];
    if (!is_source(file, &cxx))
        return pl_fail(error, PL_ERR_INPUT,
                       "%s: the first file must be C or C++ source: the calls are compiled with it",
                       file);
    if (!realpath(file, path))
        return pl_fail_errno(error, "%s", file);
    c->driver.file = path;
    c->driver.calls = c->calls;
    c->driver.count = c->count;
    pl_strbuf_init(&text);
    pl_driver_write(&c->driver, &text);
    c->driver_text = pl_strbuf_detach(&text);
    c->settings.driver = c->driver_text;
    c->settings.driver_cxx = cxx;
    return PL_OK;
}

/* ---- one test under one model ---- */

static enum pl_status run_session(struct pl_checker *c, struct pl_trial *trial,
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
    return pl_session_run(&e->session, &plan, error);
}

static void add_up(struct pl_checker *c, const struct pl_trial *t)
{
    const struct pl_session *s = &c->execute.session;
    c->executions += s->executions;
    c->blocked += s->blocked;
    c->cut += s->cut;
    c->steps += s->steps;
    c->histories += t->histories;
    c->threads = s->threads > c->threads ? s->threads : c->threads;
    c->interrupted = c->interrupted || s->interrupted;
    c->out_of_time = c->out_of_time || s->out_of_time;
    c->undecided = c->undecided || t->undecided;
}

/* The bad history once more, traced. */
static enum pl_status show_bad(struct pl_checker *c, struct pl_trial *t, struct pl_error *error)
{
    struct pl_execute *e = &c->execute;
    struct pl_why why;
    const struct pl_wire_history *h = &t->bad.head;
    struct pl_wire_check *check = &c->settings.check;
    *check = e->options->check;
    check->mode = h->kind == PL_HISTORY_SERIAL ? PL_CHECK_SHOW_SERIAL : PL_CHECK_SHOW;
    check->shown = (uint8_t)t->kind;
    for (unsigned i = 0; i < h->ran; i++)
        check->serial[i] = (uint8_t)pl_test_thread(t->test, h->order[i]);
    struct pl_wire_options before = *e->options;
    e->options->check = *check;
    e->options->replaying = 1;
    e->options->replay = h->graph;
    pl_why_bad(&why, t, c->calls);
    c->settings.report = &why.report;
    enum pl_status status = run_session(c, t, t->bad.graph, error);
    *e->options = before;
    if (!status && !e->session.findings)
        status = pl_fail(error, PL_ERR_SYSTEM,
                         "a history did not show again: the program depends on something outside "
                         "our control (%s)",
                         why.sentence);
    if (!status)
        status = pl_show_finding(e, &e->session.seen[0], why.sentence, c->shown++, error);
    c->settings.report = NULL;
    pl_why_release(&why);
    return status;
}

/* A race, a crash, an assertion: as explore shows it. */
static enum pl_status show_other(struct pl_checker *c, struct pl_trial *t, struct pl_error *error)
{
    struct pl_execute *e = &c->execute;
    const struct pl_seen *seen = &e->session.seen[0];
    struct pl_report report;
    struct pl_strbuf message;
    struct pl_why why;
    pl_why_other(&why, t, c->calls);
    c->settings.report = &why.report;
    c->settings.check = e->options->check;
    if (seen->process->wire->serial_phase) {
        c->settings.check.mode = PL_CHECK_SHOW_SERIAL;
        memcpy(c->settings.check.serial, seen->process->wire->serial,
               sizeof c->settings.check.serial);
    }
    pl_strbuf_init(&message);
    enum pl_status status = pl_execute_report(e, seen, NULL, &report, error);
    if (!status) {
        pl_report_message(&report, seen->finding, &message);
        status = pl_show_finding(e, seen, message.text, c->shown++, error);
    }
    pl_strbuf_release(&message);
    c->settings.report = NULL;
    pl_why_release(&why);
    return status;
}

/* Runs the test; what came of it is in the trial and in the session. */
static enum pl_status run_trial(struct pl_checker *c, struct pl_trial *t,
                                const struct pl_test *test, const char *model,
                                struct pl_error *error)
{
    struct pl_execute *e = &c->execute;
    static const char *const words[] = {"rc11", "sc", "tso"}; /* PL_MODEL_WORDS */
    for (unsigned i = 0; i < 3; i++)
        c->settings.model = strcmp(words[i], model) == 0 ? i : c->settings.model;
    pl_trial_init(t, test, model, c->against.spec ? &c->against : NULL);
    pl_trial_options(t, e->options);
    enum pl_status status = run_session(c, t, NULL, error);
    if (!status && e->session.refused) {
        pl_execute_refusal(e, error);
        status = error->status;
    }
    if (!status && t->malformed)
        status = pl_fail(error, PL_ERR_SYSTEM, "the program has damaged what it shares with plumb");
    return status;
}

/* ---- smaller ---- */

struct shrinking {
    struct pl_checker *checker;
    const char *model;
};

static bool is_wrong(void *context, const struct pl_test *test)
{
    const struct shrinking *s = context;
    struct pl_trial t;
    struct pl_error ignored;
    bool wrong =
        run_trial(s->checker, &t, test, s->model, &ignored) == PL_OK && t.kind != PL_FINDING_NONE;
    s->checker->interrupted = s->checker->interrupted || s->checker->execute.session.interrupted;
    pl_trial_release(&t);
    return wrong;
}

/* One test under one model: run, and if it is wrong, the smallest one like it is shown. */
static enum pl_status run_item(struct pl_checker *c, const struct pl_item *item,
                               struct pl_error *error)
{
    struct pl_trial t;
    struct pl_test small = item->test;
    enum pl_status status = run_trial(c, &t, &item->test, item->model, error);
    if (!status) {
        const struct pl_session *s = &c->execute.session;
        add_up(c, &t);
        bool wrong = t.kind != PL_FINDING_NONE || s->findings;
        if (!wrong && s->exhausted && !t.undecided)
            c->agenda.stage[item->stage].done++;
        if (t.kind != PL_FINDING_NONE && !c->no_shrink) {
            struct shrinking shrinking = {c, item->model};
            pl_trial_release(&t);
            double until = c->until;
            c->until = pl_now() + SHRINK_SECONDS;
            pl_shrink(&small, is_wrong, &shrinking);
            status = run_trial(c, &t, &small, item->model, error);
            c->until = until;
        }
        if (!status && t.kind != PL_FINDING_NONE)
            status = show_bad(c, &t, error);
        else if (!status && c->execute.session.findings)
            status = show_other(c, &t, error);
    }
    pl_trial_release(&t);
    return status;
}

/* ---- the whole ---- */

static bool over(const struct pl_checker *c)
{
    return c->interrupted || c->out_of_time || (c->shown && !c->keep_going);
}

static enum pl_status read_size(const char *text, unsigned *threads, unsigned *length,
                                struct pl_error *error)
{
    char end;
    if (sscanf(text, "%2ux%2u%c", threads, length, &end) != 2 || *threads < 1 || *length < 1 ||
        *threads >= PL_TEST_THREADS || *threads * *length > PL_TEST_OPERATIONS)
        return pl_fail(error, PL_ERR_INPUT,
                       "--size: '%s' is not THREADSxCALLS, as 3x2: at most %d threads and %d calls",
                       text, PL_TEST_THREADS - 1, PL_TEST_OPERATIONS);
    return PL_OK;
}

static enum pl_status make_agenda(struct pl_checker *c, struct pl_error *error)
{
    static const char *const both[] = {"sc", "rc11"};
    unsigned threads = 3, length = 3;
    enum pl_status status = PL_OK;
    pl_agenda_init(&c->agenda, c->model ? &c->model : both, c->model ? 1 : 2, (unsigned)c->count,
                   c->settings.seed, &c->around);
    c->asked = c->tests.count || c->random || c->size;
    if (c->size)
        status = read_size(c->size, &threads, &length, error);
    if (!status)
        status = pl_test_parse(&c->around, c->calls[0].text, c->init, c->final, c->calls, c->count,
                               error);
    c->given = calloc(c->tests.count + 1, sizeof *c->given);
    PL_ASSERT(c->given);
    for (size_t i = 0; i < c->tests.count && !status; i++)
        status = pl_test_parse(&c->given[i], c->tests.text[i], c->init, c->final, c->calls,
                               c->count, error);
    if (status)
        return status;
    if (c->around.init + c->around.final + threads * length > PL_TEST_OPERATIONS)
        return pl_fail(error, PL_ERR_INPUT,
                       "a test has at most %d invocations, --init and --final "
                       "included",
                       PL_TEST_OPERATIONS);
    if (c->tests.count)
        pl_agenda_given(&c->agenda, c->given, c->tests.count);
    else if (c->random)
        pl_agenda_random(&c->agenda, threads, length, c->random);
    else if (c->size)
        pl_agenda_all(&c->agenda, threads, length);
    else
        pl_agenda_growing(&c->agenda);
    if (!c->asked && c->settings.seconds <= 0)
        c->settings.seconds = USUAL_SECONDS;
    return PL_OK;
}

static void print_head(const struct pl_checker *c)
{
    struct pl_strbuf text;
    pl_strbuf_init(&text);
    pl_execute_inputs(&c->settings, &text);
    pl_strbuf_add(&text, ": ");
    if (c->tests.count)
        pl_strbuf_addf(&text, "%zu test%s", c->tests.count, c->tests.count == 1 ? "" : "s");
    else if (c->random)
        pl_strbuf_addf(&text, "%llu random tests of %s, seed %llu", (unsigned long long)c->random,
                       c->size ? c->size : "3x3", (unsigned long long)c->settings.seed);
    else if (c->size)
        pl_strbuf_addf(&text, "every test of %s", c->size);
    else
        pl_strbuf_add(&text, "every test of 2x1, 2x2, 3x1, then random ones of 2x3, 3x2, 3x3");
    pl_strbuf_addf(&text, " (threads x calls); model %s", c->model ? c->model : "sc, then rc11");
    if (c->settings.seconds > 0)
        pl_strbuf_addf(&text, "; at most %g s", c->settings.seconds);
    (void)printf("%s\n", text.text);
    (void)fflush(stdout);
    pl_strbuf_release(&text);
}

static void progress(struct pl_checker *c, const struct pl_item *item)
{
    double now = pl_now();
    if (!isatty(2) || now - c->shown_at < 0.1)
        return;
    struct pl_strbuf line;
    pl_strbuf_init(&line);
    pl_report_count(&line, c->execute.tests);
    pl_strbuf_add(&line, " tests, ");
    pl_report_count(&line, c->executions);
    pl_strbuf_addf(&line, " executions, model %s: ", item->model);
    pl_test_print(&item->test, c->calls, &line);
    (void)fprintf(stderr, "\r\033[K%.100s", line.text);
    (void)fflush(stderr);
    pl_strbuf_release(&line);
    c->shown_at = now;
}

static enum pl_status run_agenda(struct pl_checker *c, struct pl_error *error)
{
    struct pl_item item;
    enum pl_status status = PL_OK;
    while (!status && !over(c) && pl_agenda_next(&c->agenda, &item)) {
        progress(c, &item);
        c->execute.tests++;
        status = run_item(c, &item, error);
    }
    if (c->shown_at > 0)
        (void)fputs("\r\033[K", stderr);
    return status;
}

/* The spec's operations; and what "empty" looks like: the answer of a take on a fresh object. */
static enum pl_status find_spec(struct pl_checker *c, struct pl_error *error)
{
    struct pl_against found;
    enum pl_status status =
        pl_against_init(&found, c->spec, c->map, c->initial, c->calls, c->count, error);
    int take = status ? -1 : pl_against_take(&found);
    if (take >= 0) {
        struct pl_test alone = {.threads = 2, .length = {0, 1}, .operation = {(uint8_t)take}};
        struct pl_trial t;
        status = run_trial(c, &t, &alone, "sc", error);
        if (!status && t.responses.count)
            pl_against_set_empty(&found, t.responses.at[0].bytes, t.responses.at[0].length);
        pl_trial_release(&t);
    }
    c->against = found;
    return status;
}

/* A subject file: the process says which calls it has. */
static enum pl_status read_table(struct pl_checker *c, struct pl_error *error)
{
    struct pl_execute *e = &c->execute;
    e->options->check = (struct pl_wire_check){.mode = PL_CHECK_LIST, .columns = 1};
    enum pl_status status = run_session(c, NULL, (const uint8_t *)"", error);
    if (!status && e->session.refused) {
        pl_execute_refusal(e, error);
        status = error->status;
    }
    if (status)
        return status;
    struct pl_wire *wire = e->session.process[0]->wire;
    for (const char *name = wire->names; *name; name += strlen(name) + 1)
        pl_texts_add(&c->call_texts, name);
    if (!c->call_texts.count)
        return pl_fail(error, PL_ERR_INPUT,
                       "plumb check: no --call given, and %s has no PLUMB_CALL: which operations "
                       "does the object have? plumb check --help",
                       c->settings.inputs.text[0]);
    if (wire->spec[0] && !c->spec) {
        wire->spec[sizeof wire->spec - 1] = '\0';
        c->own_spec = strdup(wire->spec);
        c->spec = c->own_spec;
    }
    status = read_calls(c, error);
    return status ? status : make_agenda(c, error);
}

static enum pl_status work(struct pl_checker *c, struct pl_error *error)
{
    if (!c->settings.inputs.count)
        return pl_fail(error, PL_ERR_INPUT, "plumb check: no file given; plumb check --help");
    if (c->model && strcmp(c->model, "sc") != 0 && strcmp(c->model, "tso") != 0 &&
        strcmp(c->model, "rc11") != 0)
        return pl_fail(error, PL_ERR_INPUT, "--model: '%s' is none of sc, tso, rc11", c->model);
    bool is_subject = !c->call_texts.count;
    enum pl_status status = is_subject ? PL_OK : read_calls(c, error);
    if (!status && !is_subject)
        status = make_agenda(c, error);
    if (!status)
        status = write_driver(c, error);
    if (!status)
        status = pl_execute_build(&c->execute, error);
    if (!status && is_subject)
        status = read_table(c, error);
    if (status)
        return status;
    if (c->spec)
        status = find_spec(c, error);
    if (status)
        return status;
    print_head(c);
    c->started = pl_now();
    if (c->settings.seconds > 0)
        c->until = c->started + c->settings.seconds;
    return run_agenda(c, error);
}

/* ---- the verdict ---- */

/* "2x1 (6 of 6)": the stages of a kind, those that were done or those that were not. */
static unsigned add_stages(const struct pl_checker *c, bool whole, struct pl_strbuf *out)
{
    unsigned count = 0;
    for (unsigned i = 0; i < c->agenda.stages; i++) {
        const struct pl_stage *s = &c->agenda.stage[i];
        if (s->kind == PL_STAGE_ENDLESS || (s->done == s->total) != whole || !s->done)
            continue;
        pl_strbuf_add(out, count++ ? ", " : "");
        if (s->kind == PL_STAGE_GIVEN)
            pl_strbuf_add(out, whole ? "every test given" : "the tests given");
        else
            pl_strbuf_addf(out, "%stests of %ux%u",
                           s->kind == PL_STAGE_RANDOM ? "random "
                           : whole                    ? "all "
                                                      : "",
                           s->threads, s->length);
        pl_strbuf_addf(out, " under %s (", s->model);
        pl_report_count(out, s->done);
        if (!whole) {
            pl_strbuf_add(out, " of ");
            pl_report_count(out, s->total);
        }
        pl_strbuf_add(out, ")");
    }
    return count;
}

static enum pl_verdict judge(const struct pl_checker *c, struct pl_strbuf *out)
{
    const struct pl_agenda *a = &c->agenda;
    if (c->shown) {
        json_t *first = json_array_get(c->execute.findings, 0);
        pl_strbuf_add(out, json_string_value(json_object_get(first, "kind")));
        if (c->shown > 1)
            pl_strbuf_addf(out, " and %u more", c->shown - 1);
        return PL_VERDICT_VIOLATION;
    }
    struct pl_strbuf stages;
    pl_strbuf_init(&stages);
    unsigned whole = add_stages(c, true, &stages);
    bool all = whole == a->stages;
    bool pass = !c->interrupted && !c->undecided && !c->cut && (c->asked ? all : whole > 0);
    pl_strbuf_add(out, pass             ? "linearizable in "
                       : c->interrupted ? "interrupted; nothing wrong in "
                       : c->cut         ? "some executions were cut; nothing wrong in "
                                        : "not all was explored; nothing wrong in ");
    pl_strbuf_add(out, whole ? stages.text : "what was");
    pl_strbuf_clear(&stages);
    if (add_stages(c, false, &stages))
        pl_strbuf_addf(out, "; some of %s", stages.text);
    pl_strbuf_release(&stages);
    const struct pl_stage *last = &a->stage[a->stages - 1];
    if (last->kind == PL_STAGE_ENDLESS && last->done) {
        pl_strbuf_add(out, "; of 2x3, 3x2, 3x3 only a sample of ");
        pl_report_count(out, last->done);
    }
    pl_strbuf_add(out, "; ");
    pl_report_count(out, c->executions);
    pl_strbuf_addf(out, " execution%s, ", c->executions == 1 ? "" : "s");
    pl_report_count(out, c->histories);
    pl_strbuf_addf(out, " histor%s", c->histories == 1 ? "y" : "ies");
    if (!c->model || strcmp(c->model, "sc") != 0)
        pl_strbuf_add(out, "; beyond sc only clients that do not synchronise their calls");
    return pass ? PL_VERDICT_PASS : PL_VERDICT_UNKNOWN;
}

static int conclude(struct pl_checker *c, enum pl_status status, const struct pl_error *error)
{
    struct pl_execute *e = &c->execute;
    struct pl_strbuf message;
    if (status)
        return pl_execute_conclude(e, PL_VERDICT_ERROR, error->text);
    pl_strbuf_init(&message);
    enum pl_verdict verdict = judge(c, &message);
    struct pl_session *s = &e->session;
    s->executions = c->executions;
    s->blocked = c->blocked;
    s->cut = c->cut;
    s->steps = c->steps;
    s->threads = c->threads;
    s->took_seconds = pl_now() - c->started;
    e->coverage = verdict != PL_VERDICT_PASS ? "partial"
                  : c->tests.count           ? "exhaustive"
                  : c->random                ? "sampled"
                                             : "bounded";
    e->histories = c->histories;
    e->models = c->model ? c->model : "sc, rc11";
    int code = pl_execute_conclude(e, verdict, message.text);
    pl_strbuf_release(&message);
    return code;
}

int pl_checker_run(struct pl_checker *c, enum pl_status parsed, struct pl_error *error)
{
    struct pl_error unwritable;
    enum pl_status opened = pl_execute_init(&c->execute, &c->settings, "check", &unwritable);
    enum pl_status status = parsed;
    if (!status && opened) {
        status = opened;
        *error = unwritable;
    }
    if (!status)
        status = work(c, error);
    int code = conclude(c, status, error);
    pl_execute_release(&c->execute);
    return code;
}
