/*
 * --criterion points: where the operations of a history took effect, as it came over the wire, in
 * the numbers of those that are judged; decided by check/points.h; a mismatch in words.
 */
#ifndef PL_CLI_POINTED_H
#define PL_CLI_POINTED_H

#include "cli/trial.h"

/* The points of a record: how many bytes they are; 0: they do not hold together. */
size_t pl_pointed_read(struct pl_seen_history *out, const uint8_t *bytes, size_t room);

/* The points of the operations of `bad`, which are selected. BAD: bad->mismatch. */
enum pl_decision pl_pointed_decide(struct pl_trial *trial, struct pl_judge *judge,
                                   struct pl_bad *bad, const struct pl_behaviour *behaviour);

/* What is wrong: one sentence; then the history with its points, and an order that explains the
 * answers. Names and answers are those of the invocations. */
void pl_pointed_sentence(const struct pl_trial *trial, const struct pl_bad *bad,
                         const char *const *name, const char *const *answer, struct pl_strbuf *out);
void pl_pointed_details(struct pl_trial *trial, const struct pl_bad *bad, const char *const *name,
                        const char *const *answer, struct pl_strbuf *out);

#endif
