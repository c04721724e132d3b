/*
 * Recorded histories: operations, each from its call to its return.
 *
 * Time is the position among all calls and returns of the history, 0, 1, 2, …; two
 * events never share one. An operation that never returned is pending: it may have
 * taken effect at any time after its call, or never.
 *
 * A value is a number or a text. Whole numbers below 2^62 in size are themselves;
 * everything else (texts, larger numbers, lists) is interned in the history's table
 * and known by its place there, so that two values are equal exactly if they are the
 * same number.
 *
 * Invariants:
 * I1  call < ret for every operation; ret is PL_NEVER for pending ones.
 * I2  after pl_history_finish operations are sorted by call, and event[t] names the
 *     event at time t.
 *
 * Ownership: the history owns everything it hands out.
 */
#ifndef PL_HISTORY_HISTORY_H
#define PL_HISTORY_HISTORY_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/strbuf.h"

typedef int64_t pl_value;

#define PL_NIL         INT64_MIN              /* nothing: an empty take, an absent key */
#define PL_ANY         (INT64_MIN + 1)        /* a result that was not recorded */
#define PL_INTERNED    ((pl_value)1 << 62)    /* at and above: a place in the table */
#define PL_NUMBER_MOST (PL_INTERNED - 1)      /* numbers are between its negative and it */
#define PL_NEVER       ((uint32_t)0xffffffff) /* time of a return that was not seen */
#define PL_MOST_EVENTS ((uint32_t)0xfffffff0) /* times stay below */

/* A whole number, not a text, a list or nothing. */
static inline bool pl_is_number(pl_value v)
{
    return v >= -PL_NUMBER_MOST && v <= PL_NUMBER_MOST;
}

enum { PL_MOST_ARGUMENTS = 3 };

struct pl_operation {
    uint32_t call, ret;
    uint32_t thread;
    uint32_t line; /* of the call in its file */
    pl_value argument[PL_MOST_ARGUMENTS];
    pl_value result; /* PL_ANY: pending, or not recorded */
    uint8_t code;    /* the spec's number of the operation */
};

/* Texts and lists, each once. */
struct pl_values {
    struct pl_value_entry {
        size_t start;
        uint32_t length;
        bool list; /* the bytes are pl_values */
    } * entry;
    uint32_t count, room;
    uint32_t *slot; /* hash table of entry numbers + 1 */
    uint32_t slots;
    struct pl_strbuf bytes;
};

void pl_values_init(struct pl_values *values);
void pl_values_release(struct pl_values *values);
pl_value pl_values_text(struct pl_values *values, const char *text, size_t length);
pl_value pl_values_list(struct pl_values *values, const pl_value *member, size_t count);

/* The members of a list; NULL if the value is none. They may be anywhere in memory: copy. */
const void *pl_values_members(const struct pl_values *values, pl_value value, size_t *count);
void pl_values_print(const struct pl_values *values, pl_value value, struct pl_strbuf *out);

struct pl_history {
    struct pl_operation *operation;
    uint32_t count, room;
    uint32_t *event;  /* at time t: operation * 2, + 1 for its return */
    uint32_t events;  /* calls and returns */
    uint32_t threads; /* numbers in use are below */
    struct pl_values values;
    struct pl_values thread_names; /* the number of a thread is the place of its name */
};

void pl_history_init(struct pl_history *history);
void pl_history_release(struct pl_history *history);
struct pl_operation *pl_history_add(struct pl_history *history);

/*
 * Establishes I2. `call` and `ret` are given in the order of events, each used once,
 * gaps allowed.
 */
void pl_history_finish(struct pl_history *history);

/* `enq(1) -> ok` is for the words of a spec: see words.h. */
static inline bool pl_pending(const struct pl_operation *o)
{
    return o->ret == PL_NEVER;
}

#endif
