/*
 * The clients of a history (check/clients.h): what the wire says of them, in the numbers of the
 * operations that were called. Where the projection of the graph does not say all
 * (graph/clients.h), the graph that came with the history is asked.
 */
#ifndef PL_CLI_ASKED_H
#define PL_CLI_ASKED_H

#include "cli/trial.h"

/* b->order, called, number: of these invocations; those that were never called, since the test got
 * stuck before them, are not there. */
void pl_bad_select(struct pl_bad *b, uint32_t invocations);

/* What shows a history again, of the outline that came with it: to has as much room. Returns the
 * bytes used. */
uint32_t pl_outline_script(const struct pl_wire_history *head, const uint8_t *from, uint8_t *to);

/* Does every client see the spec satisfied? If not, b->client, b->order and b->refuted say which
 * does not. */
enum pl_decision pl_bad_decide_clients(struct pl_trial *t, struct pl_judge *j, struct pl_bad *b,
                                       const struct pl_behaviour *behaviour);

/* The same of quasi linearizability; under sc all histories. */
enum pl_decision pl_bad_decide_quasi(struct pl_trial *t, struct pl_judge *j, struct pl_bad *b,
                                     const struct pl_behaviour *behaviour);

/* Its points, which are selected, under all clients. BAD: bad->mismatch, and bad->client has it. */
enum pl_decision pl_bad_decide_points(struct pl_trial *trial, struct pl_judge *judge,
                                      struct pl_bad *bad, const struct pl_behaviour *behaviour);

#endif
