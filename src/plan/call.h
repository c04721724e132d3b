/*
 * An invocation as the user writes it in C (--call):
 *
 *     [DECLARATIONS;] [TYPE] CALL [-> OUT, …]
 *     int v; bool deq(q, &v) -> v
 *
 * The response is what CALL answers and, after `->`, what each OUT is then; these are looked at
 * only if CALL answers something other than 0, false, NULL. After `=>` they always are.
 *
 * Ownership: pl_call_release frees the texts.
 */
#ifndef PL_PLAN_CALL_H
#define PL_PLAN_CALL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/status.h"

enum { PL_CALL_ARGUMENTS = 3 };

/* What is known of an operation besides what it answers: see marks.h. */
struct pl_marks {
    uint8_t group;  /* only one thread calls those of a group; 0: none */
    uint32_t limit; /* most calls in a test; 0: any number */
    bool blocking, may_fail, late, data_independent;
    /* Tried to find a spec that would do, never given: it is left out of every history, whatever it
     * answers; it may take any of the values that are inside. */
    bool aside, takes_any;
};

struct pl_call {
    char *given;        /* as the user wrote it; an operation of a table: NULL */
    char *text;         /* without needless blanks */
    char *declarations; /* "" if none */
    char *type;         /* "" if none */
    char *call;
    char *outs; /* "" if none */
    bool always;
    char *shown;   /* "enq(1)": without the object and the variables for results */
    uint8_t place; /* in the subject's table */
    bool is_table; /* an operation, called with arguments: */
    uint8_t arguments;
    int64_t argument[PL_CALL_ARGUMENTS];
    bool is_spare; /* only to tell equal values apart: no test is made of it */
    struct pl_marks marks;
};

/* What the user wrote becomes a part of a file: a bracket left open there would be the compiler's
 * word about all that follows. Errors: PL_ERR_INPUT: one is not closed, or not opened. */
enum pl_status pl_call_check_brackets(const char *option, const char *text, struct pl_error *error);

/* Errors: PL_ERR_INPUT. */
enum pl_status pl_call_parse(struct pl_call *out, const char *text, struct pl_error *error);
void pl_call_release(struct pl_call *call);

/* An operation of a table, `enq(1, 2)`: the names are the arguments' values. */
void pl_call_operation(struct pl_call *out, const char *name, const int64_t *argument,
                       unsigned arguments);
/* Length of the operation's name in `shown`. */
size_t pl_call_name_length(const struct pl_call *call);

/* None of the calls has this name, which `from` gives: the sentence, PL_ERR_INPUT. */
enum pl_status pl_call_unknown(const char *from, const char *word, const struct pl_call *calls,
                               size_t count, struct pl_error *error);

/* Its arguments, besides the object, as numbers: up to `most` are put into `out`; *count says how
 * many there are (it may be NULL). Errors: PL_ERR_INPUT: one is not a number. */
enum pl_status pl_call_numbers(const struct pl_call *call, int64_t *out, unsigned most,
                               unsigned *count, struct pl_error *error);

/* The last number that it is given; false: none. */
bool pl_call_last_number(const struct pl_call *call, int64_t *value);
/* Its text with another number there; NULL: none. The caller frees. */
char *pl_call_with(const struct pl_call *call, int64_t value);

/* Sets `shown` of all: short where that is unambiguous. */
void pl_calls_name(struct pl_call *calls, size_t count);

/* The next place, from `text` on, of one of these characters outside of brackets and quotes;
 * the end of the text if there is none. */
const char *pl_call_find(const char *text, const char *characters);
/* A copy of text[0, length) without blanks at its ends, and none but between words inside. */
char *pl_call_tidy(const char *text, size_t length);

#endif
