/*
 * JSON and EDN, one value at a time, as a small tree. Both are read by the same
 * functions: EDN adds keywords, symbols, sets, lists in parentheses, tags, comments, and
 * takes commas for blanks.
 *
 * Ownership: texts point into the input's window until the next read, or into `decoded`.
 */
#ifndef PL_HISTORY_DATA_H
#define PL_HISTORY_DATA_H

#include "base/strbuf.h"
#include "history/input.h"

enum pl_node_kind {
    PL_NODE_NIL,
    PL_NODE_TRUE,
    PL_NODE_FALSE,
    PL_NODE_NUMBER, /* a whole number of less than 2^62 */
    PL_NODE_REAL,   /* any other number: its text */
    PL_NODE_TEXT,
    PL_NODE_WORD, /* a keyword without its colon, or a symbol */
    PL_NODE_LIST,
    PL_NODE_SET,
    PL_NODE_MAP, /* its members are key, value, key, value, … */
};

enum { PL_KNOWN_KEYS = 32 };

struct pl_node {
    enum pl_node_kind kind;
    bool escaped;         /* text is an offset into `decoded` */
    uint32_t first, next; /* places of nodes; 0: none */
    uint32_t members;
    uint32_t known; /* a key: which, if it is one that came before; 0: look at its text */
    size_t place;   /* in the window */
    int64_t number;
    size_t text, length; /* in the window, or in decoded */
};

struct pl_data {
    struct pl_input *input;
    bool edn;
    bool blank[256], ends_atom[256]; /* kinds of characters */
    /* Keywords and texts that were keys, by their place in a map and its depth: the same ones come
     * again. */
    struct pl_known_key {
        uint64_t text[2], mask[2]; /* with the colon or the quotes, and what of it counts */
        uint32_t length;
        uint32_t number; /* another one for each that is learnt */
    } known[PL_KNOWN_KEYS];
    uint32_t learnt;
    struct pl_node *node; /* node[1] is the value last read */
    uint32_t count, room;
    size_t after; /* the value, in the window */
    struct pl_strbuf decoded;
};

void pl_data_init(struct pl_data *data, struct pl_input *input, bool edn);
void pl_data_release(struct pl_data *data);

/* Moves over blanks and comments; the next character, or 0 at the end of the input. */
enum pl_status pl_data_peek(struct pl_data *data, char *next, struct pl_error *error);

void pl_data_pass(struct pl_data *data); /* moves over that character */

/* Reads the value that comes next; its places are good until pl_data_done moves behind it. */
enum pl_status pl_data_read(struct pl_data *data, struct pl_error *error);
void pl_data_done(struct pl_data *data);

const char *pl_node_text(const struct pl_data *data, const struct pl_node *node);

#endif
