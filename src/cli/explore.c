/* plumb explore: every execution of the program under a memory model, each once. */
#include "cli/commands.h"
#include "cli/search.h"

static const char usage[] =
    "usage: plumb explore FILE... [options] [-- FLAGS]\n"
    "\n"
    "Compiles the files as `plumb run` does and explores every execution of the program\n"
    "under a memory model: sc, tso or rc11 (the default: what C and C++ promise). Executions\n"
    "that differ only in the order of independent steps are one.\n"
    "Loops that wait or try again need no bound: a round that changes nothing is not explored\n"
    "twice (this needs plumb's own front end, the default; not --cc).\n"
    "\n"
    "options:\n";
static const char examples[] = "\n"
                               "examples:\n"
                               "  plumb explore queue.c\n"
                               "  plumb explore queue.c --model sc --seconds 60\n"
                               "  plumb explore queue.c --strategy pct:3 --seconds 60\n"
                               "  plumb explore queue.c --keep-going --json result.json -- -O2\n"
                               "\n"
                               "exit code: 0 pass, 1 violation, 2 error, 3 unknown\n";

int pl_command_explore(int argc, char **argv)
{
    static const struct pl_search explore = {"explore", usage, examples, true};
    return pl_search(&explore, argc, argv);
}
