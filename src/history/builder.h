/*
 * Where the readers put what they read: a history in the making.
 *
 * Invariant: a thread has at most one operation without an end.
 */
#ifndef PL_HISTORY_BUILDER_H
#define PL_HISTORY_BUILDER_H

#include "history/data.h"
#include "history/read.h"

enum pl_end { PL_END_RETURN, PL_END_FAIL, PL_END_UNKNOWN };

struct pl_builder {
    struct pl_history *history;
    const struct pl_read *how;
    struct pl_input *input;
    struct pl_error *error;
    struct pl_names names;
    uint32_t *open; /* of a thread: its operation + 1 */
    uint32_t open_room;
    uint32_t *small; /* thread names that are numbers below SMALL: thread + 1 */
    uint32_t time;
    uint32_t dropped; /* operations that did not happen: result is DROPPED until the end */
    struct pl_stamp { /* events of an operation list, to be sorted */
        uint64_t time;
        uint32_t event;
    } * stamp;
    size_t stamps, stamp_room;
    bool whole_times, real_times; /* which were seen */
};

void pl_builder_init(struct pl_builder *builder, struct pl_history *history,
                     const struct pl_read *how, struct pl_input *input, struct pl_error *error);
void pl_builder_release(struct pl_builder *builder);

/* The number of a thread by its name. */
uint32_t pl_builder_thread(struct pl_builder *builder, const char *name, size_t length);

/* The word an operation goes by; NULL with the error set. */
const struct pl_word *pl_builder_word(struct pl_builder *builder, const char *name, size_t length,
                                      size_t place);

/* A call; the caller fills in the arguments. NULL with the error set. */
struct pl_operation *pl_builder_call(struct pl_builder *builder, uint32_t thread,
                                     const struct pl_word *word, size_t place);

/* The open operation of a thread, with its word; NULL with the error set. */
struct pl_operation *pl_builder_open(struct pl_builder *builder, uint32_t thread, size_t place,
                                     const struct pl_word **word);

/* Its end; the result has been set where there is one. */
enum pl_status pl_builder_end(struct pl_builder *builder, struct pl_operation *operation,
                              const struct pl_word *word, enum pl_end end, size_t place);

/* What an end that is not a return makes of an operation. */
void pl_builder_settle(struct pl_builder *builder, struct pl_operation *operation,
                       const struct pl_word *word, enum pl_end end);

/* An event of an operation list at a time of its own. */
void pl_builder_stamp(struct pl_builder *builder, int64_t time, uint32_t event);

/* Sorts, drops, finishes the history. */
enum pl_status pl_builder_finish(struct pl_builder *builder);

/* Words that mean nil; true and false. */
bool pl_is_nil(const char *text, size_t length);
int pl_is_bool(const char *text, size_t length); /* -1: neither */

/* A value written as text: a number, nil, or the text itself. */
pl_value pl_text_value(struct pl_history *history, const char *text, size_t length);

/* The formats. Each reads to the end of the input. */
enum pl_status pl_read_text(struct pl_builder *builder);
enum pl_status pl_read_records(struct pl_builder *builder, bool edn);

#endif
