/* The work of `plumb check`: see checker.h. */
#include "cli/checker.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>

#include "build/flags.h"
#include "cli/check_parts.h"
#include "cli/inferred.h"

static const uint64_t MOST_RUNS = 200000; /* --golden-runs */

void pl_checker_init(struct pl_checker *c)
{
    *c = (struct pl_checker){.golden_runs = MOST_RUNS};
    pl_settings_init(&c->settings);
    c->settings.explores = true;
    pl_strbuf_init(&c->ending);
    pl_strbuf_init(&c->object);
}

void pl_checker_release(struct pl_checker *c)
{
    for (size_t i = 0; i < c->count; i++)
        pl_call_release(&c->calls[i]);
    free(c->calls);
    free(c->driver_text);
    free(c->own_spec);
    free(c->own_factor);
    free(c->given);
    free(c->cells);
    for (size_t i = 0; i < c->made.count; i++)
        free((char *)(uintptr_t)c->made.text[i]);
    pl_texts_release(&c->made);
    pl_strbuf_release(&c->object);
    pl_cover_free(c->cover);
    pl_inferred_free(c->inferred);
    pl_strbuf_release(&c->ending);
    pl_words_release(&c->known);
    if (c->observe)
        (void)pl_observe_close(c->observe);
    if (pl_against_given(&c->against))
        pl_against_release(&c->against);
    pl_golden_release(c);
    pl_driver_release(&c->driver);
    pl_texts_release(&c->call_texts);
    pl_texts_release(&c->tests);
    pl_texts_release(&c->cell_texts);
    pl_check_free_lines(c);
    for (unsigned i = 0; i < PL_CHECK_MARK_KINDS; i++)
        pl_texts_release(&c->marks[i]);
    pl_settings_release(&c->settings);
}

/* ---- before the tests ---- */

static bool is_source(const char *file, bool *cxx)
{
    enum pl_kind kind = pl_kind_of(file);
    *cxx = kind == PL_KIND_CXX;
    return *cxx || kind == PL_KIND_C;
}

static enum pl_status write_driver(struct pl_checker *c, struct pl_error *error)
{
    struct pl_strbuf text;
    char path[PATH_MAX], spec[PATH_MAX];
    bool cxx;
    const char *file = c->settings.inputs.text[0];
    if (!is_source(file, &cxx))
        return pl_fail(error, PL_ERR_INPUT,
                       "%s: the first file must be C or C++ source: the calls are compiled with it",
                       file);
    if (!realpath(file, path))
        return pl_fail_errno(error, "%s", file);
    if (c->spec && is_source(c->spec, &cxx)) {
        if (!realpath(c->spec, spec))
            return pl_fail_errno(error, "--spec: %s", c->spec);
        c->driver.spec_file = spec;
        c->spec = "written";
    }
    (void)is_source(file, &cxx);
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

enum pl_status pl_checker_prepare(struct pl_checker *c, struct pl_error *error)
{
    c->deciding.none = c->criterion == PL_CRITERION_NONE;
    c->deciding.all = c->keep_going;
    c->deciding.execute = &c->execute;
    if (!c->settings.inputs.count)
        return pl_fail(error, PL_ERR_INPUT, "plumb %s: no file given; plumb %s --help",
                       c->execute.command, c->execute.command);
    if (c->model && strcmp(c->model, "sc") != 0 && strcmp(c->model, "tso") != 0 &&
        strcmp(c->model, "rc11") != 0) {
        c->execute.models = ""; /* the result names none */
        return pl_fail(error, PL_ERR_INPUT, "--model: '%s' is none of sc, tso, rc11", c->model);
    }
    if (c->settings.preemptions_given && (!c->model || strcmp(c->model, "sc") != 0))
        return pl_fail(error, PL_ERR_INPUT,
                       "--preemptions: only sc has preemptions to count; add --model sc");
    bool is_subject = !c->call_texts.count;
    enum pl_status status = pl_check_read_tests(c, error);
    if (!status)
        status = pl_check_read_empty(c, error);
    if (!status && !is_subject)
        status = pl_check_read_calls(c, error);
    if (!status && !is_subject)
        status = pl_check_make_agenda(c, error);
    if (!status)
        status = write_driver(c, error);
    if (!status)
        status = pl_execute_build(&c->execute, error);
    if (!status && is_subject)
        status = pl_check_read_table(c, error);
    if (!status && c->spec && strcmp(c->spec, "derived") != 0)
        status = pl_check_find_spec(c, error);
    if (!status)
        status = pl_golden_prepare(c, error);
    if (!status)
        status = pl_check_read_factor(c, error);
    if (!status)
        status = pl_check_read_points(c, error);
    if (!status && c->observations) /* last: it overwrites a file */
        status = pl_check_observe(c, error);
    return status;
}

/* Options that would be without effect. */
static enum pl_status refuse_idle(const struct pl_checker *c, struct pl_error *error)
{
    const struct pl_deciding *d = &c->deciding;
    if (d->decider != PL_DECIDER_ENUMERATE && (d->no_lazy || d->no_hash))
        return pl_fail(error, PL_ERR_INPUT, "%s: goes with --decider enumerate",
                       d->no_lazy ? "--lazy-reads" : "--hash");
    if ((d->decider != PL_DECIDER_ENUMERATE || !d->relaxed) && d->no_skip)
        return pl_fail(error, PL_ERR_INPUT,
                       "--skip-known: goes with --decider enumerate and --criterion quasi");
    if (!d->relaxed && c->complete)
        return pl_fail(error, PL_ERR_INPUT, "--complete: goes with --criterion quasi");
    if ((!d->relaxed || !c->golden) && (c->golden_runs != MOST_RUNS || d->run_again))
        return pl_fail(error, PL_ERR_INPUT, "%s: goes with --golden and --criterion quasi",
                       d->run_again ? "--serial-once" : "--golden-runs");
    if (!c->against.spec && (c->map || c->initial))
        return pl_fail(error, PL_ERR_INPUT, "%s: goes with --spec and a built-in spec",
                       c->map ? "--map" : "--initial");
    return PL_OK;
}

static enum pl_status work(struct pl_checker *c, struct pl_error *error)
{
    c->settings.coverage = !c->settings.cc;
    c->execute.models = c->model ? c->model : "sc, rc11";
    enum pl_status status = pl_checker_prepare(c, error);
    if (!status)
        status = refuse_idle(c, error);
    if (!status && c->settings.coverage)
        status = pl_cover_open(&c->cover, c->execute.subject.built.program, c->execute.subject.work,
                               &c->settings.inputs, error);
    if (status)
        return status;
    pl_check_print_head(c);
    c->started = pl_now();
    if (c->settings.seconds > 0)
        c->until = c->started + c->settings.seconds;
    return pl_check_run_agenda(c, error);
}

enum pl_status pl_checker_open(struct pl_checker *c, const char *command, enum pl_status parsed,
                               struct pl_error *error)
{
    struct pl_error unwritable;
    enum pl_status opened = pl_execute_init(&c->execute, &c->settings, command, &unwritable);
    if (parsed || !opened)
        return parsed;
    *error = unwritable;
    return opened;
}

int pl_checker_run(struct pl_checker *c, enum pl_status parsed, struct pl_error *error)
{
    enum pl_status status = pl_checker_open(c, "check", parsed, error);
    if (!status)
        status = work(c, error);
    if (!status)
        status = pl_check_returns(c, error);
    int code = pl_check_conclude(c, status, error);
    pl_execute_release(&c->execute);
    return code;
}
