/* plumb check: is an object linearizable? */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli/checker.h"
#include "cli/commands.h"
#include "cli/object_options.h"
#include "cli/option_rows.h"

static const char usage[] =
    "usage: plumb check FILE... [--call CALL]... [options] [-- FLAGS]\n"
    "\n"
    "Runs small tests of an object: each thread makes some of the calls. Every test is first run\n"
    "one call at a time, in every order: that gives the answers an object without concurrency\n"
    "gives. Then every execution of the test is explored, and each must have answers that some\n"
    "order of the calls, one at a time, gives, too (it is linearizable).\n"
    "The first FILE is included by the program that makes the calls, so its static names can be\n"
    "used; the others are compiled beside it. Without --call it has the calls itself: PLUMB_CALL\n"
    "of plumb.h.\n"
    "\n"
    "options:\n";
static const char examples[] =
    "\n"
    "a CALL is C: [DECLARATIONS;] CALL [-> OUT, ...]. Its result is recorded whatever its type,\n"
    "and after -> the variables it has set, if it answered something other than 0.\n"
    "\n"
    "examples:\n"
    "  plumb check queue.c --setup 'q_init(&q)' --call 'enq(&q, 1)' --call 'enq(&q, 2)' \\\n"
    "              --call 'deq(&q)'\n"
    "  plumb check queue.c --setup 'q_init(&q)' --call 'enq(&q, 1)' --call 'deq(&q)' \\\n"
    "              --test 'enq(1),deq() | enq(1)' --model sc\n"
    "  plumb check ring.c --decl 'struct ring *r' --setup 'r = ring_new(2)' \\\n"
    "              --call 'put(r, 7)' --call 'int v; bool get(r, &v) -> v'\n"
    "\n"
    "exit code: 0 pass, 1 violation, 2 error, 3 unknown\n";

enum { OPTIONS = 80 };

/* Which tests there are. */
static size_t add_tests(struct pl_option *table, size_t count, struct pl_checker *c)
{
    struct pl_settings *s = &c->settings;
    const struct pl_option rows[] = {
        {"--test", "TEST", "a test: enq(1),deq() | enq(2), or @FILE, one a line; repeatable",
         PL_OPTION_LIST, &c->tests, 0, NULL},
        {"--init", "CALLS", "calls before the threads start: enq(1),enq(2)", PL_OPTION_TEXT,
         &c->init, 0, NULL},
        {"--final", "CALLS", "calls after the threads have ended", PL_OPTION_TEXT, &c->final, 0,
         NULL},
        {"--golden", "FILE", "what this does one at a time is the spec: the same calls",
         PL_OPTION_INPUT, &c->golden_file, 0, NULL},
        {"--golden-flags", "FLAGS", "the spec is FILE, or --golden, built with these flags, too",
         PL_OPTION_TEXT, &c->golden_flags, 0, NULL},
        {"--golden-runs", "N", "quasi: at most N sequences of calls run on it a test (200000)",
         PL_OPTION_NUMBER, &c->golden_runs, 0, NULL},
        {"--empty", "VALUE", "what a take answers that finds nothing: -1, NULL, false",
         PL_OPTION_TEXT, &c->empty, 0, NULL},
        {"--size", "TxN", "every test of T threads with N calls each", PL_OPTION_TEXT, &c->size, 0,
         NULL},
        {"--clients", "P+T", "one call a thread: P put different values in, T take one out",
         PL_OPTION_TEXT, &c->clients, 0, NULL},
        {"--symmetry", PL_SYMMETRY_WORDS,
         "--clients: one execution for all that differ in names of threads and values",
         PL_OPTION_WORD, &c->settings.symmetry, 0, NULL},
        {"--helping", PL_HELPING_WORDS,
         "one execution for all that differ in who did what a thread was about to do itself",
         PL_OPTION_WORD, &c->settings.helping, 0, NULL},
        {"--random", "N", "so many random tests of that size (3x3)", PL_OPTION_NUMBER, &c->random,
         1, NULL},
        {"--auto", NULL, "n x n tests of the first n calls, for n = 1, 2, … (Line-Up's AutoCheck)",
         PL_OPTION_FLAG, &c->automatic, 0, NULL},
        {"--cell", "CALLS", "what generated tests are made of: enq(1);deq() (default: each call)",
         PL_OPTION_LIST, &c->cell_texts, 0, NULL},
        {"--jobs", "N", "tests side by side; the result is the same (1)", PL_OPTION_NUMBER,
         &s->jobs, 1, NULL},
        {"--seed", "N", "of the random tests (1)", PL_OPTION_NUMBER, &s->seed, 0, NULL},
        {"--no-shrink", NULL, "show a wrong test as it is, not the smallest like it",
         PL_OPTION_FLAG, &c->no_shrink, 0, NULL},
    };
    memcpy(table + count, rows, sizeof rows);
    return count + sizeof rows / sizeof *rows;
}

/* What is asked of them, how far, and what is shown. */
static size_t add_asked(struct pl_option *table, size_t count, struct pl_checker *c)
{
    struct pl_settings *s = &c->settings;
    const struct pl_option rows[] = {
        {"--criterion", PL_CRITERION_WORDS, "what is asked of histories; none: only errors",
         PL_OPTION_WORD, &c->criterion, 0, &c->criterion_given},
        {"--relax", "WAY=N,...",
         "takes of a --spec need not answer the head: strict, out-of-order, lateness",
         PL_OPTION_TEXT, &c->relax, 0, NULL},
        {"--factor", "N|OP=N,...",
         "quasi: how far operations may be from their places: deq=2,enq=0", PL_OPTION_TEXT,
         &c->factor, 0, NULL},
        {"--quasi", PL_QUASI_WORDS, "quasi: between which operations distance is counted",
         PL_OPTION_WORD, &c->reading, 0, NULL},
        {"--complete", "on|off", "quasi: takes are added at the end of tests, one for each put",
         PL_OPTION_WORD, &c->complete, 0, NULL},
        {"--find-factor", NULL, "the smallest factors, or number of --relax, that do",
         PL_OPTION_FLAG, &c->find_factor, 0, NULL},
        {"--infer-points", NULL, "which accesses serve as linearization points in every execution",
         PL_OPTION_FLAG, &c->infer_points, 0, NULL},
        {"--publication", "on|off",
         "with --spec: what is put in must happen before it is taken out", PL_OPTION_WORD,
         &c->deciding.no_publication, 0, NULL},
        {"--decider", "walk|enumerate", "enumerate: every history and every order, one by one",
         PL_OPTION_WORD, &c->deciding.decider, 0, NULL},
        {"--lazy-reads", "on|off", "enumerate: only operations that change something are ordered",
         PL_OPTION_WORD, &c->deciding.no_lazy, 0, NULL},
        {"--hash", "on|off", "enumerate: a history is checked once", PL_OPTION_WORD,
         &c->deciding.no_hash, 0, NULL},
        {"--skip-known", "on|off", "enumerate, quasi: an order of operations is looked at once",
         PL_OPTION_WORD, &c->deciding.no_skip, 0, NULL},
        {"--serial-once", "on|off", "golden, quasi: a sequence of calls is run once",
         PL_OPTION_WORD, &c->deciding.run_again, 0, NULL},
        {"--stats", NULL, "print what the decider counted", PL_OPTION_FLAG, &c->show_stats, 0,
         NULL},
        {"--model", "MODEL", "sc, tso or rc11 (default: sc, then rc11)", PL_OPTION_TEXT, &c->model,
         0, NULL},
        {"--preemptions", "N", "sc: only executions that at most N preemptions show",
         PL_OPTION_NUMBER, &s->preemptions, 0, &s->preemptions_given},
        {"--executions", "N", "at most so many executions of a test", PL_OPTION_NUMBER,
         &s->executions, 1, &s->executions_given},
        {"--seconds", "S", "stop after so long (60, unless --test is given)", PL_OPTION_SECONDS,
         &s->seconds, 0, NULL},
        {"--keep-going", NULL, "go on after a violation; show one of each kind", PL_OPTION_FLAG,
         &c->keep_going, 0, NULL},
        {"--observations", "FILE", "write the serial histories, grouped by answers, as XML",
         PL_OPTION_OUTPUT, &c->observations, 0, NULL},
        PL_ROW_JSON(s),
        {"--junit", "FILE", "write the result as JUnit XML: a case for each stage and model",
         PL_OPTION_OUTPUT, &s->junit, 0, NULL},
        {"--save", "FILE", "where to save the violation (NAME-N.plumb); `no`: nowhere",
         PL_OPTION_OUTPUT, &s->save, 0, NULL},
        PL_ROW_TRACE(s),
        PL_ROW_COLOUR(s),
        PL_ROW_CC(s),
        PL_ROW_RACES(s),
        PL_ROW_REUSE(s),
        PL_ROW_SPURIOUS(s),
        PL_ROW_STEPS(s),
        PL_ROW_UNROLL(s),
        PL_ROW_HANG_SECONDS(s),
        PL_ROW_STACK(s),
    };
    memcpy(table + count, rows, sizeof rows);
    return count + sizeof rows / sizeof *rows;
}

static size_t make_table(struct pl_option *table, struct pl_checker *c)
{
    size_t count = add_asked(table, add_tests(table, pl_object_options(table, c), c), c);
    PL_ASSERT(count <= OPTIONS);
    return count;
}

int pl_command_check(int argc, char **argv)
{
    struct pl_checker checker;
    struct pl_option table[OPTIONS];
    struct pl_error error;
    enum pl_status status = PL_OK;
    int code = 0;
    pl_checker_init(&checker);
    const struct pl_object_command command = {usage, examples, table, make_table(table, &checker)};
    if (!pl_object_help(&command, &checker, argc, argv, &status, &error))
        code = pl_checker_run(&checker, status, &error);
    pl_checker_release(&checker);
    return code;
}
