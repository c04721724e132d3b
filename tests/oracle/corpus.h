/* The litmus tests of a directory, in the order of their file names. */
#ifndef OR_CORPUS_H
#define OR_CORPUS_H

#include <stddef.h>

#include "program.h"

struct or_corpus {
    struct or_program *programs;
    char **paths;
    size_t count;
};

/* Fails on the first file that is not a good program. Release it in either case. */
enum pl_status or_corpus_read(struct or_corpus *out, const char *directory, struct pl_error *error);
void or_corpus_release(struct or_corpus *c);

#endif
