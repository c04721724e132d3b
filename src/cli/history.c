/* plumb history: are recorded histories linearizable? */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/memory.h"
#include "check/check.h"
#include "check/explain.h"
#include "cli/commands.h"
#include "cli/history_report.h"
#include "cli/interrupt.h"
#include "cli/option_rows.h"
#include "cli/options.h"
#include "cli/output.h"
#include "history/builder.h"
#include "history/write.h"

static const char usage[] =
    "usage: plumb history FILE... --spec SPEC [options]\n"
    "\n"
    "Decides whether recorded histories are linearizable: whether the calls and returns in\n"
    "each file can be explained by an order in which the operations took effect one at a time.\n"
    "A FILE is our text or JSON, Jepsen's EDN, or a list of operations with their times; `-`\n"
    "is standard input. Operations that never returned may have taken effect, or not.\n"
    "\n"
    "options:\n";
static const char examples[] =
    "\n"
    "examples:\n"
    "  plumb history run.txt --spec fifo\n"
    "  plumb history store/latest/history.edn --spec cas-register --keyed\n"
    "  zcat run.json.gz | plumb history - --spec lifo --map push=add,pop=get\n"
    "  plumb history run.txt --spec set --witness order.txt --json result.json\n"
    "\n"
    "exit code: 0 pass, 1 violation, 2 error, 3 unknown\n";

struct choice {
    const char *spec, *map, *initial, *witness, *json;
    unsigned format, failed;
    bool keyed;
    uint64_t jobs;
    double seconds;
};

enum { OPTIONS = 10 };

static void make_table(struct pl_option *table, struct choice *c)
{
    const struct pl_option all[OPTIONS] = {
        {"--spec", "SPEC", "what the object should do; the list is below", PL_OPTION_TEXT, &c->spec,
         0, NULL},
        {"--format", PL_FORMAT_WORDS, "of the files; auto: seen from how they start",
         PL_OPTION_WORD, &c->format, 0, NULL},
        {"--map", "OURS=YOURS,...", "names of operations in the files: enq=my_put,deq=my_get",
         PL_OPTION_TEXT, &c->map, 0, NULL},
        {"--failed", PL_FAILED_WORDS,
         "a failed operation: takes found nothing and others did not happen, or none happened, "
         "or each answered empty or false",
         PL_OPTION_WORD, &c->failed, 0, NULL},
        {"--keyed", NULL, "the first argument is a key: one object for each", PL_OPTION_FLAG,
         &c->keyed, 0, NULL},
        {"--initial", "VALUE", "what the object starts with (0; nil in EDN files)", PL_OPTION_TEXT,
         &c->initial, 0, NULL},
        {"--witness", "FILE", "on a pass write an order that explains the history (one file only)",
         PL_OPTION_OUTPUT, &c->witness, 0, NULL},
        {"--seconds", "S", "stop after so long", PL_OPTION_SECONDS, &c->seconds, 0, NULL},
        {"--jobs", "N", "threads; they share the keys and elements of a history (1)",
         PL_OPTION_NUMBER, &c->jobs, 1, NULL},
        PL_ROW_JSON(c),
    };
    memcpy(table, all, sizeof all);
}

static void print_help(const struct pl_option *table)
{
    size_t count;
    const struct pl_spec *const *all = pl_spec_all(&count);
    (void)fputs(usage, stdout);
    pl_options_help(table, OPTIONS);
    (void)puts("\nspecs:");
    for (size_t i = 0; i < count; i++)
        (void)printf("  %-12s  %s\n", all[i]->name, all[i]->help);
    (void)fputs(examples, stdout);
}

static enum pl_status unknown_spec(const char *name, struct pl_error *error)
{
    size_t count;
    const struct pl_spec *const *all = pl_spec_all(&count);
    const char *names[32];
    for (size_t i = 0; i < count; i++)
        names[i] = all[i]->name;
    if (!name)
        return pl_fail(error, PL_ERR_INPUT,
                       "plumb history: which --spec? fifo, lifo, set, register, …; "
                       "plumb history --help lists them");
    const char *near = pl_nearest(name, names, count);
    return pl_fail(error, PL_ERR_INPUT, "--spec: there is no '%s'%s%s%s", name,
                   near ? "; did you mean " : "; plumb history --help lists them", near ? near : "",
                   near ? "?" : "");
}

static enum pl_status check_choice(const struct choice *c, const struct pl_arguments *arguments,
                                   const struct pl_spec **spec, struct pl_error *error)
{
    if (!arguments->files.count)
        return pl_fail(error, PL_ERR_INPUT, "plumb history: no file given; plumb history --help");
    if (arguments->rest.count)
        return pl_fail(error, PL_ERR_INPUT, "plumb history takes nothing after --");
    *spec = c->spec ? pl_spec_find(c->spec) : NULL;
    if (!*spec)
        return unknown_spec(c->spec, error);
    if (c->witness && arguments->files.count > 1)
        return pl_fail(error, PL_ERR_INPUT, "--witness: give one history at a time");
    if (c->initial && !(*spec)->has_initial)
        return pl_fail(error, PL_ERR_INPUT, "--initial: a %s starts with nothing", (*spec)->name);
    if (c->keyed && *spec == &pl_spec_map)
        return pl_fail(error, PL_ERR_INPUT, "--keyed: a map has keys of its own");
    return PL_OK;
}

/* Counters of things need a number to start with. */
static enum pl_status initial_value(const struct choice *c, const struct pl_spec *spec,
                                    struct pl_history *h, enum pl_format format, pl_value *out,
                                    struct pl_error *error)
{
    bool counts =
        spec == &pl_spec_counter || spec == &pl_spec_semaphore || spec == &pl_spec_countdown;
    *out = format == PL_FORMAT_EDN && !counts ? PL_NIL : 0;
    if (c->initial)
        *out = pl_text_value(h, c->initial, strlen(c->initial));
    if (counts && (*out == PL_NIL || *out >= PL_INTERNED))
        return pl_fail(error, PL_ERR_INPUT, "--initial: '%s' is not a whole number", c->initial);
    return PL_OK;
}

/* A serial history: each operation returns before the next is called. */
static bool write_witness(const struct pl_case *c, const struct pl_witness *w, int fd)
{
    struct pl_strbuf text;
    pl_strbuf_init(&text);
    pl_strbuf_addf(&text, "# plumb history: an order that explains it; spec %s\n", c->spec->name);
    for (uint32_t k = 0; k < w->count; k++) {
        const struct pl_operation *o = &c->history->operation[w->order[k]];
        pl_write_call(c->history, &c->spec->words, o, c->keyed, &text);
        pl_write_return(c->history, &c->spec->words, o, w->answer[k], &text);
    }
    bool good = pl_output_write(fd, text.text, text.length);
    pl_strbuf_release(&text);
    return good;
}

struct files {
    const struct choice *choice;
    const struct pl_spec *spec;
    struct pl_budget budget;
    struct pl_history_report report;
    int witness;
};

static enum pl_status decide(struct files *f, const char *file, struct pl_history *h,
                             enum pl_format format, struct pl_error *error)
{
    const struct choice *choice = f->choice;
    struct pl_case c = {
        .spec = f->spec, .history = h, .keyed = choice->keyed, .budget = &f->budget};
    struct pl_witness w;
    struct pl_check_how how;
    if (!h->count) /* whatever made it has failed, most likely: no pass for that */
        return pl_fail(error, PL_ERR_INPUT, "%s: no operations; is it the right file?",
                       strcmp(file, "-") == 0 ? "stdin" : file);
    enum pl_status status = initial_value(choice, f->spec, h, format, &c.initial, error);
    if (status)
        return status;
    pl_witness_init(&w, h->count);
    enum pl_decision decision = pl_check(&c, (unsigned)choice->jobs, &w, &how);
    if (decision == PL_GOOD && choice->witness && !write_witness(&c, &w, f->witness))
        status = pl_fail(error, PL_ERR_INPUT, "--witness %s: cannot be written: %s",
                         choice->witness, strerror(errno));
    pl_witness_release(&w);
    if (!status)
        pl_history_report_add(&f->report, file, &c, decision, &how, (unsigned)choice->jobs);
    return status;
}

static enum pl_status run(struct files *f, const struct pl_arguments *arguments,
                          struct pl_error *error)
{
    const struct choice *choice = f->choice;
    const struct pl_read how = {
        .words = &f->spec->words,
        .map = choice->map,
        .format = (enum pl_format)choice->format,
        .failed = (enum pl_failed)choice->failed,
        .keyed = choice->keyed,
        .stop = pl_interrupt_stop(),
        .fits = f->spec->fits,
        .demand = f->spec->demand,
    };
    for (size_t i = 0; i < arguments->files.count && !*pl_interrupt_stop(); i++) {
        struct pl_history history;
        enum pl_format format;
        enum pl_status status =
            pl_history_read(&history, arguments->files.text[i], &how, &format, error);
        if (*pl_interrupt_stop() && status == PL_ERR_LIMIT)
            return PL_OK;
        if (status)
            return status;
        status = decide(f, arguments->files.text[i], &history, format, error);
        pl_history_release(&history);
        if (status)
            return status;
    }
    return PL_OK;
}

static enum pl_status open_outputs(const struct choice *c, int *json, int *witness,
                                   struct pl_error *error)
{
    enum pl_status status = PL_OK;
    if (c->json)
        status = pl_output_open("--json", c->json, json, error);
    if (!status && c->witness)
        status = pl_output_open("--witness", c->witness, witness, error);
    return status;
}

int pl_command_history(int argc, char **argv)
{
    struct choice choice = {.jobs = 1};
    struct pl_arguments arguments;
    struct pl_option table[OPTIONS];
    struct pl_error error, unwritable;
    struct files files = {.choice = &choice, .witness = -1};
    int json = -1;
    make_table(table, &choice);
    pl_memory_is_short();
    enum pl_status status = pl_options_parse(table, OPTIONS, argc, argv, &arguments, &error);
    if (arguments.help && !status) {
        print_help(table);
        pl_arguments_release(&arguments);
        return 0;
    }
    enum pl_status opened = open_outputs(&choice, &json, &files.witness, &unwritable);
    if (!status)
        status = check_choice(&choice, &arguments, &files.spec, &error);
    if (!status && opened) {
        status = opened;
        error = unwritable;
    }
    pl_interrupt_catch(true);
    files.budget = (struct pl_budget){.stop = pl_interrupt_stop()};
    if (choice.seconds > 0)
        files.budget.until = pl_check_now() + choice.seconds;
    pl_history_report_init(&files.report, arguments.files.count);
    if (!status)
        status = run(&files, &arguments, &error);
    int code = pl_history_report_end(&files.report, *pl_interrupt_stop(),
                                     status ? error.text : NULL, choice.json, json);
    pl_history_report_release(&files.report);
    pl_interrupt_catch(false);
    if (json >= 0)
        (void)close(json);
    if (files.witness >= 0)
        (void)close(files.witness);
    pl_arguments_release(&arguments);
    return code;
}
