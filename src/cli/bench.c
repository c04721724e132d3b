/* plumb bench: tables of papers, run again. */
#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "cli/bench.h"
#include "cli/commands.h"
#include "cli/option_rows.h"
#include "cli/options.h"
#include "cli/output.h"

static const char usage[] =
    "usage: plumb bench papers [options]\n"
    "\n"
    "Runs the tables of papers again, on the subjects of the gallery, and prints our figures\n"
    "beside the papers'. A run ends when its time is over: what was left is counted.\n"
    "\n"
    "options:\n";
static const char examples[] =
    "\n"
    "examples:\n"
    "  plumb bench papers --only lineup --seconds 60 --unbounded 600\n"
    "  plumb bench papers --only lineup --row Queue --seconds 20 --json queue.json\n"
    "\n"
    "exit code: 0 every row came out as in its paper, 1 some did not, 2 error, 3 some were not\n"
    "done in the time (lineup: with the bound of the paper)\n";

static const struct {
    const char *name, *help;
    enum pl_status (*run)(struct pl_bench *, json_t *rows, struct pl_error *);
} tables[] = {
    {"lineup", "Line-Up, Table 2: thirteen classes, random tests of 3x3", pl_bench_lineup},
    {"thesis", "du Toit, Tables 4.2, 4.3, 4.7, 4.10, 4.13: five data structures", pl_bench_thesis},
    {"roundup", "Round-Up, Tables II, III and V: relaxed queues, stacks, priority queues",
     pl_bench_roundup},
    {"cgvt", "CGVT, Table II: long histories brought down to small tests", pl_bench_cgvt},
    {"clients", "one call a thread, every client under rc11, beside RELINCHE", pl_bench_clients},
    {"checking", "which share of the time of exploring checking takes", pl_bench_checking},
};
enum { TABLES = sizeof tables / sizeof tables[0] };

struct choice {
    struct pl_bench bench;
    const char *only, *json;
};

enum { OPTIONS = 9 };

static void make_table(struct pl_option *table, struct choice *c)
{
    const struct pl_option all[OPTIONS] = {
        {"--only", "TABLE", "one table; the list is below", PL_OPTION_TEXT, &c->only, 0, NULL},
        {"--row", "TEXT", "only rows whose name has this in it", PL_OPTION_TEXT, &c->bench.row, 0,
         NULL},
        {"--seconds", "S", "of the processor, for each run of a row (60)", PL_OPTION_SECONDS,
         &c->bench.seconds, 0, NULL},
        {"--unbounded", "S", "lineup: the same for the runs without a bound (as --seconds)",
         PL_OPTION_SECONDS, &c->bench.unbounded, 0, NULL},
        {"--rc11", "S", "lineup: the same for those under rc11 (as --unbounded)", PL_OPTION_SECONDS,
         &c->bench.rc11, 0, NULL},
        {"--tests", "N", "random tests of a run (100)", PL_OPTION_NUMBER, &c->bench.tests, 1, NULL},
        {"--seed", "N", "of the random tests (1)", PL_OPTION_NUMBER, &c->bench.seed, 0, NULL},
        {"--subjects", "DIR", "where the gallery is (subjects)", PL_OPTION_TEXT, &c->bench.subjects,
         0, NULL},
        PL_ROW_JSON(c),
    };
    memcpy(table, all, sizeof all);
}

static void print_help(const struct pl_option *table)
{
    (void)fputs(usage, stdout);
    pl_options_help(table, OPTIONS);
    (void)puts("\ntables:");
    for (size_t i = 0; i < TABLES; i++)
        (void)printf("  %-8s  %s\n", tables[i].name, tables[i].help);
    (void)fputs(examples, stdout);
}

static enum pl_status check_choice(const struct choice *c, const struct pl_arguments *arguments,
                                   struct pl_error *error)
{
    const char *names[TABLES];
    bool known = !c->only;
    for (size_t i = 0; i < TABLES; i++) {
        names[i] = tables[i].name;
        known = known || strcmp(names[i], c->only) == 0;
    }
    if (arguments->files.count != 1 || strcmp(arguments->files.text[0], "papers") != 0)
        return pl_fail(error, PL_ERR_INPUT, "plumb bench: say what: plumb bench papers");
    if (arguments->rest.count)
        return pl_fail(error, PL_ERR_INPUT, "plumb bench takes nothing after --");
    const char *near = known ? NULL : pl_nearest(c->only, names, TABLES);
    if (!known)
        return pl_fail(error, PL_ERR_INPUT, "--only: there is no table '%s'%s%s%s", c->only,
                       near ? "; did you mean " : "; plumb bench --help lists them",
                       near ? near : "", near ? "?" : "");
    if (access(c->bench.subjects, R_OK | X_OK) != 0)
        return pl_fail(error, PL_ERR_INPUT,
                       "--subjects: there is no directory %s: give the one of the source tree",
                       c->bench.subjects);
    return PL_OK;
}

static int conclude(const struct choice *c, int fd, json_t *rows, enum pl_status status,
                    const struct pl_error *error)
{
    const struct pl_bench *b = &c->bench;
    int code = status                        ? PL_VERDICT_ERROR
               : b->differ                   ? PL_VERDICT_VIOLATION
               : b->undone || b->interrupted ? PL_VERDICT_UNKNOWN
                                             : PL_VERDICT_PASS;
    char message[120], undone[40] = "";
    if (b->undone)
        (void)snprintf(undone, sizeof undone, ", %u not done in the time", b->undone);
    (void)snprintf(message, sizeof message, "%zu row%s, %u not as in the paper%s",
                   json_array_size(rows), json_array_size(rows) == 1 ? "" : "s", b->differ, undone);
    if (status)
        (void)fprintf(stderr, "%s\n", error->text);
    else
        (void)printf("\n%s%s\n", message, b->interrupted ? "; interrupted" : "");
    if (fd >= 0) {
        json_t *o = json_pack("{s:s,s:s,s:s,s:f,s:I,s:O}", "verdict",
                              pl_verdict_text((enum pl_verdict)code), "command", "bench", "message",
                              status ? error->text : message, "seconds_of_a_run", b->seconds,
                              "seed", (json_int_t)b->seed, "rows", rows);
        PL_ASSERT(o);
        if (!pl_output_json(fd, o)) {
            (void)fprintf(stderr, "--json %s: cannot be written: %s\n", c->json, strerror(errno));
            code = PL_VERDICT_ERROR;
        }
        json_decref(o);
        (void)close(fd);
    }
    return code;
}

int pl_command_bench(int argc, char **argv)
{
    struct choice c = {.bench = {.subjects = "subjects", .seconds = 60, .tests = 100, .seed = 1}};
    struct pl_option table[OPTIONS];
    struct pl_arguments arguments;
    struct pl_error error;
    int fd = -1;
    make_table(table, &c);
    enum pl_status status = pl_options_parse(table, OPTIONS, argc, argv, &arguments, &error);
    if (arguments.help && !status) {
        print_help(table);
        pl_arguments_release(&arguments);
        return 0;
    }
    json_t *rows = json_array();
    PL_ASSERT(rows);
    struct pl_error unwritable;
    enum pl_status opened = c.json ? pl_output_open("--json", c.json, &fd, &unwritable) : PL_OK;
    if (!status && opened) {
        status = opened;
        error = unwritable;
    }
    if (!status)
        status = check_choice(&c, &arguments, &error);
    for (size_t i = 0; i < TABLES && !status && !c.bench.interrupted; i++)
        if (!c.only || strcmp(c.only, tables[i].name) == 0)
            status = tables[i].run(&c.bench, rows, &error);
    int code = conclude(&c, fd, rows, status, &error);
    json_decref(rows);
    pl_arguments_release(&arguments);
    return code;
}
