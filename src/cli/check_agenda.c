/* Which tests are run; running them, and if one is wrong the smallest like it is shown. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "cli/check_parts.h"
#include "plan/marks.h"
#include "shrink/shrink.h"

static const double USUAL_SECONDS = 60, SHRINK_SECONDS = 30;

/* ---- which ---- */

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

static enum pl_status read_test(const struct pl_checker *c, struct pl_test *out, const char *text,
                                struct pl_error *error)
{
    enum pl_status status = pl_test_parse(out, text, c->init, c->final, c->calls, c->count, error);
    return status ? status : pl_marks_check(out, c->calls, error);
}

enum pl_status pl_check_make_agenda(struct pl_checker *c, struct pl_error *error)
{
    static const char *const both[] = {"sc", "rc11"};
    unsigned threads = 3, length = 3;
    enum pl_status status = PL_OK;
    pl_agenda_init(&c->agenda, c->model ? &c->model : both, c->model ? 1 : 2, (unsigned)c->count,
                   c->settings.seed, &c->around);
    pl_agenda_restrict(&c->agenda, c->calls);
    c->asked = c->tests.count || c->random || c->size;
    if (c->size)
        status = read_size(c->size, &threads, &length, error);
    if (!status)
        status = pl_test_parse(&c->around, c->calls[0].text, c->init, c->final, c->calls, c->count,
                               error);
    c->given = calloc(c->tests.count + 1, sizeof *c->given);
    PL_ASSERT(c->given);
    for (size_t i = 0; i < c->tests.count && !status; i++)
        status = read_test(c, &c->given[i], c->tests.text[i], error);
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
    if (!c->agenda.stages)
        return pl_fail(error, PL_ERR_INPUT,
                       "--size: no test of %ux%u respects the groups and limits of the operations",
                       threads, length);
    if (!c->asked && c->settings.seconds <= 0)
        c->settings.seconds = USUAL_SECONDS;
    return PL_OK;
}

/* ---- smaller ---- */

struct shrinking {
    struct pl_checker *checker;
    const char *model;
    const char *signature; /* NULL: any violation will do */
};

static bool is_wrong(void *context, const struct pl_test *test)
{
    const struct shrinking *s = context;
    struct pl_trial t;
    struct pl_error ignored;
    bool wrong = pl_check_trial(s->checker, &t, test, s->model, &ignored) == PL_OK && t.bads &&
                 (!s->signature || pl_trial_find(&t, s->signature));
    s->checker->interrupted = s->checker->interrupted || s->checker->execute.session.interrupted;
    pl_trial_release(&t);
    return wrong;
}

/* The smallest test like this one that is wrong, too, is shown. */
static enum pl_status show_smallest(struct pl_checker *c, const struct pl_item *item,
                                    const char *signature, struct pl_error *error)
{
    struct shrinking shrinking = {c, item->model, c->keep_going ? signature : NULL};
    struct pl_test small = item->test;
    struct pl_trial t;
    double until = c->until;
    c->until = pl_now() + SHRINK_SECONDS;
    if (!c->no_shrink)
        pl_shrink(&small, is_wrong, &shrinking);
    enum pl_status status = pl_check_trial(c, &t, &small, item->model, error);
    c->until = until;
    if (!status) {
        const struct pl_bad *bad = pl_trial_find(&t, signature);
        if (!bad && t.bads)
            bad = t.bad[0];
        if (bad)
            status = pl_check_show_bad(c, &t, bad, error);
    }
    pl_trial_release(&t);
    return status;
}

/* One test under one model: run, and what is wrong with it is shown. */
static enum pl_status run_item(struct pl_checker *c, const struct pl_item *item,
                               struct pl_error *error)
{
    struct pl_trial t;
    enum pl_status status = pl_check_trial(c, &t, &item->test, item->model, error);
    if (!status) {
        const struct pl_session *s = &c->execute.session;
        pl_check_add_up(c, &t);
        if (!t.bads && !s->findings && s->exhausted && !t.undecided)
            c->agenda.stage[item->stage].done++;
        /* Bad histories were there before the process ended with the other. */
        bool other = s->findings && (!t.bads || c->keep_going);
        if (other)
            status = pl_check_show_other(c, &t, error);
        for (unsigned i = 0; i < t.bads && !status; i++)
            if (!pl_check_is_known(c, t.bad[i]->signature))
                status = show_smallest(c, item, t.bad[i]->signature, error);
    }
    pl_trial_release(&t);
    return status;
}

/* ---- all ---- */

static bool over(const struct pl_checker *c)
{
    return c->interrupted || c->out_of_time || (c->shown && !c->keep_going);
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

enum pl_status pl_check_run_agenda(struct pl_checker *c, struct pl_error *error)
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
