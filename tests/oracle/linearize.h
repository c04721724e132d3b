/*
 * Linearizability of everything an execution can show, by its definition (Line-Up, definitions
 * 1 to 3) and by brute force: every linear extension of the order of calls and returns is a
 * history; for each history every permutation of its operations that keeps the real-time order
 * is tried; a pending operation is left out or given any answer. A stuck history needs for each
 * pending operation e a permutation of the completed ones after which e blocks.
 */
#ifndef ORACLE_LINEARIZE_H
#define ORACLE_LINEARIZE_H

#include <stdbool.h>
#include <stdint.h>

enum { OR_CALLS = 8, OR_STATES = 12, OR_INVOCATIONS = 8, OR_ANSWERS = 3 };

/* A spec as a table. No answers: the invocation blocks in the state. It starts in state 0. */
struct or_spec {
    unsigned states, invocations;
    struct or_cell {
        unsigned count;
        unsigned response[OR_ANSWERS], next[OR_ANSWERS];
    } cell[OR_STATES][OR_INVOCATIONS];
};

/* Events: 2i is the call of operation i, 2i + 1 its return. */
struct or_execution {
    unsigned operations;
    unsigned invocation[OR_CALLS], response[OR_CALLS];
    bool pending[OR_CALLS];
    bool before[2 * OR_CALLS][2 * OR_CALLS]; /* [a][b]: a comes before b */
    bool stuck;
};

struct or_count {
    unsigned long histories, bad;
};

/* Over all histories of the execution; stops after `most_bad` bad ones (0: never). */
struct or_count or_count_histories(const struct or_spec *spec, const struct or_execution *x,
                                   unsigned long most_bad);

/* Is the order itself, taken as the only real-time order there is, explained? (No global clock:
   i before j where the return of i comes before the call of j.) */
bool or_explained(const struct or_spec *spec, const struct or_execution *x);

/* One history: the events in their order. */
bool or_history_good(const struct or_spec *spec, const struct or_execution *x,
                     const unsigned *event, unsigned events);

#endif
