/*
 * Histories that need not be sent to the tool: those that were there before (given.c), and those
 * that one serial order explains, by what the tool has found out of the spec so far (explain.c,
 * struct pl_wire_lines). What the tool has not come to yet is not explained; then the history is
 * sent, and the tool finds it out. So how many are sent depends on how fast it is, and nothing else
 * does: a history that is not as it should be is explained by no line.
 */
#ifndef PL_RUNTIME_EXPLAIN_H
#define PL_RUNTIME_EXPLAIN_H

#include "graph/line.h"
#include "runtime/harness.h"

/* ---- those that were there ---- */

enum pl_given { PL_GIVEN_NOT, PL_GIVEN, PL_GIVEN_SETTLED };
/* Histories, which are counted; and those that were looked at, with what the first do not tell
 * apart: how many of them there are depends on how soon the tool has told what. */
enum pl_given_table { PL_GIVEN_HISTORIES, PL_GIVEN_VARIANTS, PL_GIVEN_TABLES };
enum { PL_KEY_WORD = 16 };

/* Settled is what need not be looked at again, whatever the key does not tell apart.
 * What is known of a key, of a multiple of PL_KEY_WORD bytes. It is kept from now on if there is
 * room; *entry names it then, and is 0 otherwise. */
enum pl_given pl_given_find(enum pl_given_table table, const uint8_t *bytes, uint32_t count,
                            uint32_t *entry);
void pl_given_settle(uint32_t entry); /* of the histories */
uint32_t
pl_given_number(uint32_t entry); /* likewise, for the tool; PL_CHECK_KEYS: it is not kept */

/* ---- those that are explained ---- */

/* The number of the answer that the invocation has just given; PL_CHECK_ANSWERS: it has none. */
uint8_t pl_answer_number(unsigned invocation);
/* The answers of the execution that has ended, as numbers (result/wire.h). */
struct pl_answers {
    uint8_t number[PL_CHECK_OPERATIONS]; /* PL_CHECK_ANSWERS: it has none, or did not return */
    bool numbered;                       /* all of them */
};
void pl_answers_find(struct pl_answers *out);
/* The number of all of them together, PL_CHECK_VECTORS: none. */
uint32_t pl_answers_vector(const struct pl_answers *of);

/* Has the tool found that histories with this key are good (struct pl_wire_lines)? */
bool pl_told_settled(uint32_t key);

/* What has to be published with these answers, as the tool has told it (struct pl_wire_lines), of
 * each invocation: one of these before it, where it is not 0; or all of these. NULL: it has not. */
const uint32_t *pl_told_bringers(const struct pl_answers *answers);
const uint32_t *pl_told_needed(const struct pl_answers *answers);

/* `own` of the order is filled in. */
bool pl_explains(struct pl_line_order *order, struct pl_answers *answers);

#endif
