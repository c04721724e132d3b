/*
 * Command lines from a table: the same table parses and prints the help, so they
 * cannot differ. `--name value` and `--name=value` are the same; everything after
 * `--` is left alone.
 *
 * A file to write that is also read, by whatever name, is refused, and its option has no value
 * then: an error must not be written into it either.
 *
 * Ownership: texts point into argv; the arrays of a list and of the positional
 * arguments are allocated, pl_arguments_release frees the latter.
 * Errors: PL_ERR_INPUT with one sentence that names the option and the remedy.
 */
#ifndef PL_CLI_OPTIONS_H
#define PL_CLI_OPTIONS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/status.h"

enum pl_option_kind {
    PL_OPTION_FLAG,    /* bool * */
    PL_OPTION_NUMBER,  /* uint64_t *, at least `least` */
    PL_OPTION_SECONDS, /* double *, above zero */
    PL_OPTION_TEXT,    /* const char ** */
    PL_OPTION_INPUT,   /* const char **: a file to read */
    PL_OPTION_OUTPUT,  /* const char **: a file to write; nothing that is read, and no two the same
                        */
    PL_OPTION_WORD,    /* unsigned *: index of the word in `words`, "report|allow|off" */
    PL_OPTION_LIST,    /* struct pl_texts *: repeatable */
};

struct pl_texts {
    const char **text;
    size_t count;
};

struct pl_option {
    const char *name;  /* with its dashes */
    const char *value; /* word of the help for its value, or the words of a PL_OPTION_WORD */
    const char *help;
    enum pl_option_kind kind;
    void *target;
    uint64_t least;
    bool *given; /* may be NULL */
};

struct pl_arguments {
    struct pl_texts files; /* positional */
    struct pl_texts rest;  /* after -- */
    bool help;
};

enum pl_status pl_options_parse(const struct pl_option *table, size_t count, int argc,
                                char *const *argv, struct pl_arguments *out,
                                struct pl_error *error);
/* The same for a file to read that is not on the command line. */
enum pl_status pl_options_spare(const char *option, const char **output, const char *input,
                                struct pl_error *error);
void pl_arguments_release(struct pl_arguments *arguments);
void pl_texts_add(struct pl_texts *texts, const char *text);
void pl_texts_release(struct pl_texts *texts);

/* The lines of --help for the options of a table. */
void pl_options_help(const struct pl_option *table, size_t count);

/* The nearest of the words, NULL when none is near: for "did you mean". */
const char *pl_nearest(const char *word, const char *const *words, size_t count);

#endif
