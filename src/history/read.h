/*
 * Reading history files. docs/history.md describes the formats; which one a file has is
 * seen from how it starts, or told.
 *
 * Errors: PL_ERR_INPUT, "file:line:column: what is wrong".
 */
#ifndef PL_HISTORY_READ_H
#define PL_HISTORY_READ_H

#include "base/status.h"
#include "history/history.h"
#include "history/words.h"

#define PL_FORMAT_WORDS "auto|text|json|edn"
enum pl_format { PL_FORMAT_AUTO, PL_FORMAT_TEXT, PL_FORMAT_JSON, PL_FORMAT_EDN };

/* An operation that failed: a take found nothing and others did not happen; or none
   happened; or each answered: empty, false. */
#define PL_FAILED_WORDS "empty|drop|answer"
enum pl_failed { PL_FAILED_EMPTY, PL_FAILED_DROP, PL_FAILED_ANSWER };

struct pl_read {
    const struct pl_vocabulary *words;
    const char *map; /* --map, or NULL */
    enum pl_format format;
    enum pl_failed failed;
    bool keyed;                /* the first argument is a key: kept in argument[PL_KEY] */
    const volatile bool *stop; /* Ctrl-C; may be NULL */
    bool (*fits)(const struct pl_operation *call); /* do its arguments make sense? NULL: all do */
    const char *demand;                            /* what to say if they do not */
};

enum { PL_KEY = PL_MOST_ARGUMENTS - 1 };

/* `file` is "-" for standard input. The format found is told. On errors nothing is kept. */
enum pl_status pl_history_read(struct pl_history *out, const char *file, const struct pl_read *how,
                               enum pl_format *found, struct pl_error *error);

#endif
