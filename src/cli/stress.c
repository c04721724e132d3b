/* plumb stress: an object on real threads. */
#include <stdio.h>
#include <string.h>

#include "cli/commands.h"
#include "cli/object_options.h"
#include "cli/option_rows.h"
#include "cli/stresser.h"

static const char usage[] =
    "usage: plumb stress FILE... --spec SPEC [--call CALL]... [options] [-- FLAGS]\n"
    "\n"
    "Compiles the object as it is (-O2, nothing inserted), lets real threads make random calls, "
    "and\n"
    "decides whether each history they leave is linearizable. A history that is not is written to "
    "a\n"
    "file and brought down to a small test, which is explored and shown as `plumb check` does.\n"
    "Calls and hooks are those of `plumb check`, and so are its built-in specs.\n"
    "\n"
    "options:\n";
static const char examples[] =
    "\n"
    "examples:\n"
    "  plumb stress queue_subject.c --threads 8 --seconds 10\n"
    "  plumb stress set.c --spec set --setup 'init(&s)' --call 'add(&s, 1)' --call 'add(&s, 2)' "
    "\\\n"
    "               --call 'remove(&s, 1)' --call 'contains(&s, 1)'\n"
    "  plumb stress queue_subject.c --rounds 1000 --operations 100 --json result.json\n"
    "  plumb stress ring_subject.c --windows 1000 --seconds 60\n"
    "  plumb stress snapshot_subject.c --threads 2 --strategy dpct:3\n"
    "\n"
    "exit code: 0 pass, 1 violation, 2 error, 3 unknown\n";

enum { OPTIONS = 50 };

static size_t make_table(struct pl_option *table, struct pl_stresser *x)
{
    struct pl_checker *c = &x->checker;
    struct pl_settings *s = &c->settings;
    const struct pl_option all[] = {
        {"--threads", "N", "that make the calls (4)", PL_OPTION_NUMBER, &x->threads, 1, NULL},
        {"--seconds", "S", "how long (10)", PL_OPTION_SECONDS, &x->seconds, 0, NULL},
        {"--rounds", "N", "so many rounds; each is an object of its own", PL_OPTION_NUMBER,
         &x->rounds, 1, NULL},
        {"--operations", "N", "of a thread in the longest windows (2000)", PL_OPTION_NUMBER,
         &x->operations, 1, NULL},
        {"--windows", "N",
         "of a round: the object lives on, its history is cut where the threads meet (every 16th "
         "round has 128; with --rounds 1)",
         PL_OPTION_NUMBER, &x->windows, 1, NULL},
        {"--seed", "N", "of the calls made (1)", PL_OPTION_NUMBER, &s->seed, 0, NULL},
        {"--strategy", "S",
         "schedules of the runtime in place of real threads: random, pct:D, dpct:D", PL_OPTION_TEXT,
         &s->strategy, 0, NULL},
        {"--no-pin", NULL, "leave it to the system which processor runs a thread", PL_OPTION_FLAG,
         &x->no_pin, 0, NULL},
        {"--no-localise", NULL, "do not look for a small test that shows the violation",
         PL_OPTION_FLAG, &x->no_localise, 0, NULL},
        {"--keep-going", NULL, "go on after a violation, until the time is over", PL_OPTION_FLAG,
         &x->keep_going, 0, NULL},
        {"--history", "FILE", "where to write a bad history (NAME-N.history)", PL_OPTION_OUTPUT,
         &x->history, 0, NULL},
        {"--hang-seconds", "S", "a round without an end for so long is a hang (5)",
         PL_OPTION_SECONDS, &s->hang_seconds, 0, NULL},
        PL_ROW_JSON(s),
        {"--save", "FILE", "where to save the small test (NAME-N.plumb); `no`: nowhere",
         PL_OPTION_OUTPUT, &s->save, 0, NULL},
        PL_ROW_COLOUR(s),
        {"--cc", "COMPILER", "gcc, clang or a path (default: clang-19)", PL_OPTION_TEXT, &s->cc, 0,
         NULL},
        {"--races", PL_RACES_WORDS, "of the small test: as for plumb check", PL_OPTION_WORD,
         &s->races, 0, NULL},
    };
    _Static_assert(sizeof all / sizeof all[0] + PL_OBJECT_OPTIONS <= OPTIONS, "room for all");
    memcpy(table, all, sizeof all);
    size_t count = sizeof all / sizeof all[0];
    return count + pl_object_options(table + count, c);
}

int pl_command_stress(int argc, char **argv)
{
    struct pl_stresser stresser;
    struct pl_option table[OPTIONS];
    struct pl_error error;
    enum pl_status status = PL_OK;
    int code = 0;
    pl_stresser_init(&stresser);
    const struct pl_object_command command = {usage, examples, table, make_table(table, &stresser)};
    if (!pl_object_help(&command, &stresser.checker, argc, argv, &status, &error))
        code = pl_stresser_run(&stresser, status, &error);
    pl_stresser_release(&stresser);
    return code;
}
