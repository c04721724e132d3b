/*
 * A round of `plumb stress` as a history: the records of all threads in the order of their stamps,
 * in the words of the spec. Two stamps that are equal overlap: the call comes first.
 *
 * Ownership: pl_stressed_release.
 */
#ifndef PL_CLI_STRESS_ROUND_H
#define PL_CLI_STRESS_ROUND_H

#include "cli/against.h"
#include "stress/server.h"

struct pl_stressed {
    struct pl_history history; /* finished */
    uint16_t *call;            /* of each operation: as struct pl_localise wants it; or NULL */
    bool damaged;              /* the records do not hold together */
};

/* `number` says of each of the wire's calls which of the object's calls it is. Lines are 1 + the
 * wire's call, until pl_stressed_name_calls makes `call` of them: then they are 0. */
void pl_stressed_read(struct pl_stressed *out, const struct pl_stress_wire *wire, unsigned round,
                      struct pl_against *against, const uint16_t *number);
/* The parts of that: the names of the threads, main last; a value, in the history's own table. */
void pl_stressed_name_threads(struct pl_history *history, unsigned threads);
pl_value pl_stressed_value(struct pl_history *history, const struct pl_against *against,
                           pl_value value);
void pl_stressed_name_calls(struct pl_stressed *stressed, const struct pl_stress_wire *wire,
                            const struct pl_against *against, const uint16_t *number);
void pl_stressed_release(struct pl_stressed *stressed);

#endif
