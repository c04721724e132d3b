/* The options that say what an object is: its calls, hooks, marks and spec. For the commands that
 * work with the same objects as `plumb check`. */
#ifndef PL_CLI_OBJECT_OPTIONS_H
#define PL_CLI_OBJECT_OPTIONS_H

#include "cli/checker.h"

enum { PL_OBJECT_OPTIONS = 20 }; /* at most */

/* How many there are. */
size_t pl_object_options(struct pl_option *table, struct pl_checker *checker);

/* A command that works with objects: what it prints for --help, and all its options. */
struct pl_object_command {
    const char *usage, *examples;
    const struct pl_option *table;
    size_t options;
};

/* Reads the command line; true: it asked for help, which was printed. *status, with the error, is
 * what came of reading it. */
bool pl_object_help(const struct pl_object_command *command, struct pl_checker *checker, int argc,
                    char **argv, enum pl_status *status, struct pl_error *error);

/* Adds what `plumb check` is to be given to run the test in a file with the same object. */
void pl_object_again(const struct pl_checker *checker, const char *model, const char *file,
                     struct pl_strbuf *out);

#endif
