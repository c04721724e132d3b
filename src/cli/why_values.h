/*
 * Of containers: what is wrong with the values of a history, in a sentence. Which calls put and
 * which take is known from their names, as a spec's operations are; where nothing can be said for
 * sure nothing is.
 */
#ifndef PL_CLI_WHY_VALUES_H
#define PL_CLI_WHY_VALUES_H

#include <stdbool.h>
#include <stdint.h>

#include "base/strbuf.h"
#include "check/behaviour.h"

struct pl_why_facts {
    unsigned count;
    const char *const *name;   /* "enq(1)" */
    const char *const *answer; /* "" of one that answers nothing or has not returned */
    uint32_t called, returned;
    const uint32_t *before; /* those that had returned before it was called */
    const char *map;        /* --map, or NULL */
    const char *spec;       /* its name; NULL: derived */
};

/* Nothing is added if nothing can be said. */
void pl_why_values(const struct pl_why_facts *facts, struct pl_strbuf *out);

#endif
