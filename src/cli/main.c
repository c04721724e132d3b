/* plumb: which command. */
#include <stdio.h>
#include <string.h>

#include "cli/commands.h"
#include "cli/interrupt.h"
#include "cli/options.h"
#include "result/finding.h"

static const struct {
    const char *name, *help;
    int (*run)(int argc, char **argv);
} table[] = {
    {"run", "run a program under random schedules until something is wrong", pl_command_run},
    {"explore", "run every execution of a program under a memory model", pl_command_explore},
    {"check", "is an object linearizable? every execution of small tests", pl_command_check},
    {"history", "decide whether recorded histories are linearizable", pl_command_history},
    {"stress", "let real threads use an object, and decide their histories", pl_command_stress},
    {"localise", "bring a long bad history down to the few calls that matter", pl_command_localise},
    {"replay", "run a saved finding again, also in gdb", pl_command_replay},
    {"bench", "run the tables of papers again, our figures beside theirs", pl_command_bench},
};
enum { COMMANDS = sizeof table / sizeof table[0] };

static void print_help(void)
{
    (void)puts("usage: plumb COMMAND [arguments]\n"
               "\n"
               "Runs concurrent C and C++ programs under a scheduler of its own, finds what goes\n"
               "wrong in some interleaving, and shows that interleaving.\n"
               "\n"
               "commands:");
    for (size_t i = 0; i < COMMANDS; i++)
        (void)printf("  %-8s  %s\n", table[i].name, table[i].help);
    (void)puts("\n"
               "  plumb COMMAND --help   the options of a command, with examples\n"
               "  plumb --version        the version\n"
               "\n"
               "examples:\n"
               "  plumb run queue.c\n"
               "  plumb run queue.cc --seconds 30 -- -O2 -std=c++20\n"
               "  plumb check queue.c --setup 'q_init(&q)' --call 'enq(&q, 1)' --call 'deq(&q)'\n"
               "  plumb replay queue-1.plumb\n"
               "  plumb history run.txt --spec fifo");
}

static int unknown(const char *name)
{
    const char *names[COMMANDS];
    for (size_t i = 0; i < COMMANDS; i++)
        names[i] = table[i].name;
    const char *near = pl_nearest(name, names, COMMANDS);
    const char *what = name[0] == '-' ? "option" : "command";
    if (near)
        (void)fprintf(stderr, "unknown %s %s; did you mean %s?\n", what, name, near);
    else
        (void)fprintf(stderr, "unknown %s %s; plumb --help lists the commands\n", what, name);
    return PL_VERDICT_ERROR;
}

int main(int argc, char **argv)
{
    pl_interrupt_init();
    if (argc < 2) {
        (void)fputs("plumb: which command? plumb --help lists them\n", stderr);
        return PL_VERDICT_ERROR;
    }
    const char *name = argv[1];
    if (strcmp(name, "--help") == 0 || strcmp(name, "-h") == 0 || strcmp(name, "help") == 0) {
        print_help();
        return 0;
    }
    if (strcmp(name, "--version") == 0) {
        (void)puts("plumb " PLUMB_VERSION);
        return 0;
    }
    for (size_t i = 0; i < COMMANDS; i++)
        if (strcmp(name, table[i].name) == 0)
            return table[i].run(argc - 2, argv + 2);
    return unknown(name);
}
