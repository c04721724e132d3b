/* plumb replay: the execution of a saved finding once more. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "cli/again.h"
#include "cli/commands.h"
#include "cli/execute.h"
#include "cli/gdb.h"
#include "cli/option_rows.h"
#include "cli/save.h"

static const char usage[] =
    "usage: plumb replay FILE.plumb [options]\n"
    "\n"
    "Builds the program of a saved finding again and runs the one execution that shows it.\n"
    "\n"
    "options:\n";
static const char examples[] = "\n"
                               "examples:\n"
                               "  plumb replay queue-1.plumb\n"
                               "  plumb replay queue-1.plumb --gdb\n"
                               "\n"
                               "exit code: 1 the finding shows again, 3 it does not, 2 error\n";

struct choice {
    bool gdb, batch;
    const char *json;
    unsigned trace, colour;
};

enum { OPTIONS = 5 };

static void make_table(struct pl_option *table, struct choice *c)
{
    const struct pl_option all[OPTIONS] = {
        {"--gdb", NULL, "in gdb, stopped at the failing access", PL_OPTION_FLAG, &c->gdb, 0, NULL},
        {"--batch", NULL, "with --gdb: print the backtrace and leave", PL_OPTION_FLAG, &c->batch, 0,
         NULL},
        PL_ROW_JSON(c),
        PL_ROW_TRACE(c),
        PL_ROW_COLOUR(c),
    };
    memcpy(table, all, sizeof all);
}

static void set_options(struct pl_execute *e, const struct pl_saved *saved)
{
    struct pl_wire_options *o = e->options;
    o->first = saved->execution;
    o->executions = saved->execution + 1;
    o->replaying = saved->has_choices;
    o->replay = saved->choice_count;
    o->expect_hang = saved->kind && strcmp(saved->kind, pl_finding_text(PL_FINDING_HANG)) == 0;
}

static bool coloured(unsigned choice)
{
    const char *no = getenv("NO_COLOR");
    return choice ? choice == 1 : isatty(1) && !(no && *no);
}

/* Prints the finding as `plumb run` did. */
static enum pl_status show(struct pl_execute *e, const struct pl_saved *saved, const char *file,
                           struct pl_error *error)
{
    struct pl_report report;
    struct pl_strbuf text;
    /* The number of the execution is the saved one: the text must be the same. */
    struct pl_wire_finding finding = *e->session.seen[0].finding;
    finding.execution = saved->execution;
    enum pl_status status = pl_execute_report(e, &e->session.seen[0], file, &report, error);
    if (status)
        return status;
    report.colour = coloured(e->settings->colour);
    pl_strbuf_init(&text);
    pl_report_finding(&report, &finding, &text);
    (void)printf("\n%s\n", text.text);
    json_array_append_new(e->findings, pl_report_finding_json(&report, &finding));
    pl_strbuf_release(&text);
    return PL_OK;
}

static enum pl_status inputs_are_here(const struct pl_execute *e, struct pl_error *error)
{
    for (size_t i = 0; i < e->settings->inputs.count; i++) {
        const char *input = e->settings->inputs.text[i];
        if (input[0] != '/' && access(input, F_OK) != 0)
            return pl_fail(error, PL_ERR_INPUT,
                           "%s is not here: change to the directory in which it was found", input);
    }
    return PL_OK;
}

/* What came of the run; `changed`: the sources have. */
static enum pl_status conclude(struct pl_execute *e, const struct pl_saved *saved, const char *file,
                               bool changed, int *code, struct pl_error *error)
{
    enum pl_status status = PL_OK;
    bool is = e->session.findings;
    struct pl_strbuf what;
    pl_strbuf_init(&what);
    if (is)
        status = pl_again_is_saved(e, saved, changed, &is, &what, error);
    if (!status && is) {
        const char *kind = pl_finding_text(e->session.seen[0].finding->kind);
        status = show(e, saved, file, error);
        if (!status && strcmp(kind, saved->kind) != 0)
            (void)fprintf(stderr, "%s: saved was another finding: %s\n", file, saved->message);
        if (!status)
            *code = pl_execute_conclude(e, PL_VERDICT_VIOLATION, kind);
    } else if (!status) {
        struct pl_strbuf text;
        pl_strbuf_init(&text);
        pl_strbuf_addf(&text, "the finding did not show again%s%s%s", what.length ? ": " : "",
                       what.text, changed ? "; the sources have changed" : "");
        *code = pl_execute_conclude(e, PL_VERDICT_UNKNOWN, text.text);
        pl_strbuf_release(&text);
    }
    pl_strbuf_release(&what);
    return status;
}

static enum pl_status replay(struct pl_execute *e, const struct pl_saved *saved,
                             const struct choice *choice, const char *file, int *code,
                             struct pl_error *error)
{
    struct pl_strbuf changes;
    enum pl_status status = inputs_are_here(e, error);
    if (!status)
        status = pl_execute_build(e, error);
    if (status)
        return status;
    pl_strbuf_init(&changes);
    pl_saved_changes(saved, &changes);
    (void)fputs(changes.text, stderr);
    bool changed = changes.length != 0;
    pl_strbuf_release(&changes);
    set_options(e, saved);
    if (choice->gdb) {
        e->options->gdb = 1;
        return pl_gdb(e, saved->choices, choice->batch, code, error);
    }
    PL_ASSERT(saved->kind);
    (void)printf("%s: execution %llu again: %s\n", file, (unsigned long long)saved->execution,
                 saved->kind);
    (void)fflush(stdout);
    status = pl_execute_run(e, saved->choices, error);
    if (!status && e->session.refused) {
        pl_execute_refusal(e, error);
        status = error->status;
    }
    return status ? status : conclude(e, saved, file, changed, code, error);
}

/* The file given, read; then the settings are the saved ones with this call's own on top. */
static enum pl_status read_saved(struct pl_saved *saved, const struct pl_arguments *arguments,
                                 const struct choice *choice, struct pl_error *error)
{
    if (arguments->files.count != 1 || arguments->rest.count)
        return pl_fail(error, PL_ERR_INPUT,
                       "plumb replay: give one saved finding, NAME-N.plumb; plumb replay --help");
    if (choice->batch && !choice->gdb)
        return pl_fail(error, PL_ERR_INPUT, "--batch belongs to --gdb");
    return pl_saved_read(saved, arguments->files.text[0], error);
}

int pl_command_replay(int argc, char **argv)
{
    struct choice choice = {0};
    struct pl_arguments arguments;
    struct pl_option table[OPTIONS];
    struct pl_error error;
    struct pl_saved saved = {0};
    struct pl_execute execute;
    int code = PL_VERDICT_ERROR;
    make_table(table, &choice);
    enum pl_status status = pl_options_parse(table, OPTIONS, argc, argv, &arguments, &error);
    if (arguments.help && !status) {
        (void)fputs(usage, stdout);
        pl_options_help(table, OPTIONS);
        (void)fputs(examples, stdout);
        pl_arguments_release(&arguments);
        return 0;
    }
    if (!status)
        status = read_saved(&saved, &arguments, &choice, &error);
    for (size_t i = 0; i < saved.settings.inputs.count && !status; i++)
        status = pl_options_spare("--json", &choice.json, saved.settings.inputs.text[i], &error);
    saved.settings.json = choice.json;
    saved.settings.trace = choice.trace;
    saved.settings.colour = choice.colour;
    saved.settings.save = NULL;
    struct pl_error unwritable;
    enum pl_status opened = pl_execute_init(&execute, &saved.settings, "replay", &unwritable);
    if (!status && opened) {
        status = opened;
        error = unwritable;
    }
    if (!status)
        status = replay(&execute, &saved, &choice, arguments.files.text[0], &code, &error);
    if (status)
        code = pl_execute_fail(&execute, &error);
    pl_execute_release(&execute);
    pl_saved_release(&saved);
    pl_arguments_release(&arguments);
    return code;
}
