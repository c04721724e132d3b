/*
 * The subject made ready to run: built in a directory of its own that goes away
 * with it.
 *
 * Ownership: pl_subject_release removes the directory and frees; after an error too.
 * Errors: what the compiler said is printed to stderr first, the sentence is in error.
 */
#ifndef PL_CLI_SUBJECT_H
#define PL_CLI_SUBJECT_H

#include "base/status.h"
#include "build/build.h"
#include "cli/settings.h"
#include "symbol/symbol.h"

struct pl_subject {
    char *work;  /* temporary directory */
    char **argv; /* of its main */
    struct pl_built built;
};

enum pl_status pl_subject_build(struct pl_subject *out, const struct pl_settings *settings,
                                struct pl_error *error);
void pl_subject_release(struct pl_subject *subject);

/* Symbols that print the inputs as the user gave them. */
enum pl_status pl_subject_symbols(const struct pl_subject *subject,
                                  const struct pl_settings *settings, const char *maps,
                                  struct pl_symbols **out, struct pl_error *error);

#endif
