/* See corpus.h. */
#include "corpus.h"

#include <glob.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum pl_status or_corpus_read(struct or_corpus *out, const char *directory, struct pl_error *error)
{
    *out = (struct or_corpus){0};
    char pattern[4096];
    (void)snprintf(pattern, sizeof pattern, "%s/*.litmus", directory);
    glob_t found;
    if (glob(pattern, 0, NULL, &found) != 0) /* sorted */
        return pl_fail(error, PL_ERR_INPUT, "%s: no litmus tests there", directory);
    out->programs = calloc(found.gl_pathc, sizeof *out->programs);
    out->paths = calloc(found.gl_pathc, sizeof *out->paths);
    PL_ASSERT(out->programs != NULL && out->paths != NULL);
    enum pl_status status = PL_OK;
    for (size_t i = 0; i < found.gl_pathc && status == PL_OK; i++) {
        status = or_program_read(&out->programs[i], found.gl_pathv[i], error);
        out->paths[i] = strdup(found.gl_pathv[i]);
        PL_ASSERT(out->paths[i] != NULL);
        out->count++;
    }
    globfree(&found);
    return status;
}

void or_corpus_release(struct or_corpus *c)
{
    for (size_t i = 0; i < c->count; i++)
        free(c->paths[i]);
    free(c->paths);
    free(c->programs);
    *c = (struct or_corpus){0};
}
