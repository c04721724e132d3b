/*
 * What operations are called. A spec gives one pl_word for each of its operations; a
 * history file may use any of its names, upper or lower case, with or without hyphens
 * and underscores, or names of its own (--map).
 *
 * Ownership: names keep pointers to the words, which must live as long.
 */
#ifndef PL_HISTORY_WORDS_H
#define PL_HISTORY_WORDS_H

#include "base/status.h"
#include "history/history.h"

enum pl_answer {
    PL_ANSWER_NONE,    /* nothing: the result is always PL_NIL */
    PL_ANSWER_VALUE,   /* a value; PL_ANY where none was recorded */
    PL_ANSWER_TAKE,    /* a value, or nil for empty; a failed operation answers empty */
    PL_ANSWER_BOOL,    /* 1 or 0; PL_ANY where none was recorded */
    PL_ANSWER_SUCCESS, /* 1 or 0; an operation that is just "ok" answers 1 */
    PL_ANSWER_LIST,    /* a list of values */
};

struct pl_word {
    const char *names; /* "enq|enqueue|put": the first is ours */
    uint8_t code;
    uint8_t arguments;
    enum pl_answer answer;
};

struct pl_vocabulary {
    const struct pl_word *word;
    size_t count;
};

/* Name to number, made for few names asked for again and again. */
struct pl_names {
    struct pl_name {
        char text[30];
        uint8_t length;
        uint8_t number;
    } * name;
    size_t count, room;
};

void pl_names_init(struct pl_names *names);
void pl_names_release(struct pl_names *names);
void pl_names_add(struct pl_names *names, const char *text, size_t length, uint8_t number);
int pl_names_find(struct pl_names *names, const char *text, size_t length); /* -1: unknown */

/* All names of the words, then the user's: "enq=my_put,deq=my_get". */
enum pl_status pl_names_make(struct pl_names *out, const struct pl_vocabulary *words,
                             const char *map, struct pl_error *error);

const struct pl_word *pl_words_of(const struct pl_vocabulary *words, uint8_t code);

/* `enq(1)`, `deq() -> 3`, `deq() -> empty`, `read() never returned` */
void pl_operation_print(const struct pl_history *history, const struct pl_vocabulary *words,
                        const struct pl_operation *operation, struct pl_strbuf *out);

#endif
