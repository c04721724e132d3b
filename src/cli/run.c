/* plumb run: the program under a seeded random schedule, many times. */
#include "cli/commands.h"
#include "cli/search.h"

static const char usage[] =
    "usage: plumb run FILE... [options] [-- FLAGS]\n"
    "\n"
    "Compiles the files (.c .cc .cpp, or objects built with -fsanitize=thread) and runs\n"
    "the program, main included, under random schedules; every thread is controlled.\n"
    "Stops at the first finding and shows the interleaving that leads to it.\n"
    "FLAGS are for the compiler and the linker, as in: -- -O2 -Iinclude -lm\n"
    "\n"
    "options:\n";
static const char examples[] =
    "\n"
    "examples:\n"
    "  plumb run queue.c\n"
    "  plumb run queue.cc test.cc --seconds 30 --jobs 2 -- -O2 -std=c++20\n"
    "  plumb run queue.c --seed 7 --keep-going --json result.json\n"
    "  plumb run ring.c --races=allow -- -DCK_USE_CC_BUILTINS=1\n"
    "\n"
    "exit code: 0 pass, 1 violation, 2 error, 3 unknown\n";

int pl_command_run(int argc, char **argv)
{
    static const struct pl_search run = {"run", usage, examples, false};
    return pl_search(&run, argc, argv);
}
