/*
 * The suppression file, as ThreadSanitizer users know it: `race:PATTERN` a line,
 * PATTERN a part of a function's name or a file's path with `*` for anything, `^`
 * and `$` for the ends; `#` starts a comment. The rules are turned into code
 * ranges before the run; the runtime counts what each silences.
 *
 * Ownership: pl_suppress_release frees.
 * Errors: a wrong line is PL_ERR_INPUT, "supp.txt:3: …".
 */
#ifndef PL_REPORT_SUPPRESS_H
#define PL_REPORT_SUPPRESS_H

#include <stdbool.h>
#include <stddef.h>

#include "base/status.h"
#include "result/wire.h"
#include "symbol/symbol.h"

struct pl_suppress_rule {
    char *pattern;
    int line;
};

struct pl_suppress {
    char *file;
    struct pl_suppress_rule rule[PL_MAX_SUPPRESSIONS];
    size_t count;
    int unused_line; /* the first line of a kind that has no use here, 0: none */
    char unused_kind[32];
};

enum pl_status pl_suppress_read(struct pl_suppress *out, const char *file, struct pl_error *error);
enum pl_status pl_suppress_parse(struct pl_suppress *out, const char *file, const char *text,
                                 struct pl_error *error);
void pl_suppress_release(struct pl_suppress *suppress);

/* Does ThreadSanitizer's pattern fit this text? */
bool pl_suppress_fits(const char *pattern, const char *text);

/* Fills ranges and rules of the options: disjoint, sorted by start; where rules meet, the
   first of the file counts. */
enum pl_status pl_suppress_resolve(const struct pl_suppress *suppress, struct pl_symbols *symbols,
                                   struct pl_wire_options *options, struct pl_error *error);

#endif
