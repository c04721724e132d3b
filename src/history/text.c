/*
 * Our own text: one event a line.
 *
 *     # a comment
 *     0 call enq 1
 *     1 call deq
 *     0 return
 *     1 return 1           or: 1 return empty
 *     0 fail               the operation failed
 *     0 crash              nobody knows whether it took effect
 *
 * The first word is the thread, any word. Values are numbers, words, "quoted texts",
 * [lists of values]; nil and empty are nothing.
 */
#include <string.h>

#include "history/builder.h"

/* A line of the window, word by word. */
struct line {
    struct pl_builder *b;
    size_t at, end;
};

struct token {
    size_t start, length; /* of the text, without quotes */
    bool quoted;
};

static enum pl_status fail(const struct line *l, size_t place, const char *what)
{
    return pl_input_fail(l->b->input, place, l->b->error, "%s", what);
}

static inline bool is_blank(char c)
{
    return c == ' ' || c == '\t' || c == '\r';
}

/* The next word of the line; false at its end. */
static bool next(struct line *l, struct token *out)
{
    const char *text = l->b->input->text;
    while (l->at < l->end && is_blank(text[l->at]))
        l->at++;
    if (l->at == l->end || text[l->at] == '#')
        return false;
    out->quoted = text[l->at] == '"';
    out->start = l->at + out->quoted;
    l->at++;
    if (text[l->at - 1] == '[' || text[l->at - 1] == ']') {
        out->length = 1;
        return true;
    }
    while (l->at < l->end &&
           (out->quoted ? text[l->at] != '"'
                        : !is_blank(text[l->at]) && text[l->at] != ']' && text[l->at] != '['))
        l->at++;
    out->length = l->at - out->start;
    if (out->quoted && l->at < l->end)
        l->at++;
    return true;
}

static bool is(const struct line *l, const struct token *t, const char *word)
{
    return strlen(word) == t->length && !t->quoted &&
           memcmp(l->b->input->text + t->start, word, t->length) == 0;
}

static enum pl_status read_value(struct line *l, const struct token *first, pl_value *out);

static enum pl_status read_list(struct line *l, pl_value *out)
{
    struct token t;
    enum { MOST = 4096 };
    static _Thread_local pl_value member[MOST];
    size_t count = 0, start = l->at;
    while (next(l, &t)) {
        if (is(l, &t, "]")) {
            *out = pl_values_list(&l->b->history->values, member, count);
            return PL_OK;
        }
        if (is(l, &t, "[") || count == MOST)
            return fail(l, t.start,
                        count == MOST ? "a list of more than 4096 values" : "a list inside a list");
        enum pl_status status = read_value(l, &t, &member[count++]);
        if (status)
            return status;
    }
    return fail(l, start, "a list without its closing bracket");
}

static enum pl_status read_value(struct line *l, const struct token *first, pl_value *out)
{
    struct pl_history *h = l->b->history;
    const char *text = l->b->input->text + first->start;
    if (first->quoted && l->b->input->text[first->start + first->length] != '"')
        return fail(l, first->start, "a text without its closing quote");
    if (first->quoted)
        *out = pl_values_text(&h->values, text, first->length);
    else if (first->length == 1 && text[0] == '[')
        return read_list(l, out);
    else if (first->length == 1 && text[0] == ']')
        return fail(l, first->start, "a closing bracket without its list");
    else
        *out = pl_text_value(h, text, first->length);
    return PL_OK;
}

static enum pl_status read_call(struct line *l, uint32_t thread, const struct token *who)
{
    struct token t;
    struct pl_builder *b = l->b;
    if (!next(l, &t))
        return fail(l, l->end, "the operation is missing: THREAD call NAME [ARGUMENT…]");
    const struct pl_word *word =
        pl_builder_word(b, b->input->text + t.start, t.length, t.start - t.quoted);
    if (!word)
        return b->error->status;
    struct pl_operation *o = pl_builder_call(b, thread, word, who->start);
    if (!o)
        return b->error->status;
    unsigned wanted = word->arguments + b->how->keyed;
    size_t first = who->start; /* argument that is not the key */
    for (unsigned i = 0; i < wanted; i++) {
        bool key = b->how->keyed && i == 0;
        pl_value value = PL_NIL;
        if (!next(l, &t))
            return fail(l, l->end,
                        key ? "the key is missing (--keyed)"
                            : "an argument of the operation is missing");
        enum pl_status status = read_value(l, &t, &value);
        if (status)
            return status;
        o->argument[key ? PL_KEY : i - b->how->keyed] = value;
        first = i == b->how->keyed ? t.start - t.quoted : first;
    }
    if (next(l, &t))
        return fail(l, t.start - t.quoted, "more than the operation's arguments");
    return b->how->fits && !b->how->fits(o) ? fail(l, first, b->how->demand) : PL_OK;
}

static enum pl_status read_result(struct line *l, struct pl_operation *o,
                                  const struct pl_word *word)
{
    struct token t;
    struct pl_builder *b = l->b;
    bool there = next(l, &t);
    o->result = word->answer == PL_ANSWER_NONE      ? PL_NIL
                : word->answer == PL_ANSWER_SUCCESS ? 1
                                                    : PL_ANY;
    if (!there && (word->answer == PL_ANSWER_TAKE || word->answer == PL_ANSWER_LIST))
        return fail(l, l->end,
                    word->answer == PL_ANSWER_TAKE ? "the result is missing: a value, or empty"
                                                   : "the result is missing: [a list]");
    if (!there || word->answer == PL_ANSWER_NONE)
        return PL_OK;
    if (word->answer == PL_ANSWER_BOOL || word->answer == PL_ANSWER_SUCCESS) {
        int truth = pl_is_bool(b->input->text + t.start, t.length);
        if (truth < 0)
            return fail(l, t.start, "the result must be true or false");
        o->result = truth;
    } else {
        enum pl_status status = read_value(l, &t, &o->result);
        if (status)
            return status;
    }
    if (next(l, &t))
        return fail(l, t.start - t.quoted, "more than one result");
    return PL_OK;
}

static enum pl_status read_end(struct line *l, uint32_t thread, const struct token *who,
                               enum pl_end end)
{
    struct token t;
    const struct pl_word *word;
    struct pl_operation *o = pl_builder_open(l->b, thread, who->start, &word);
    if (!o)
        return l->b->error->status;
    if (end == PL_END_RETURN) {
        enum pl_status status = read_result(l, o, word);
        if (status)
            return status;
    } else if (next(l, &t)) {
        return fail(l, t.start - t.quoted, "nothing belongs here");
    }
    return pl_builder_end(l->b, o, word, end, who->start);
}

static enum pl_status read_line(struct line *l)
{
    struct token who, what;
    if (!next(l, &who))
        return PL_OK;
    if (!next(l, &what))
        return fail(l, l->end, "THREAD call NAME [ARGUMENT…], or THREAD return [RESULT]");
    uint32_t thread = pl_builder_thread(l->b, l->b->input->text + who.start, who.length);
    if (is(l, &what, "call") || is(l, &what, "invoke"))
        return read_call(l, thread, &who);
    if (is(l, &what, "return") || is(l, &what, "ok"))
        return read_end(l, thread, &who, PL_END_RETURN);
    if (is(l, &what, "fail"))
        return read_end(l, thread, &who, PL_END_FAIL);
    if (is(l, &what, "crash") || is(l, &what, "info"))
        return read_end(l, thread, &who, PL_END_UNKNOWN);
    return fail(l, what.start - what.quoted, "after the thread comes call, return, fail or crash");
}

enum pl_status pl_read_text(struct pl_builder *b)
{
    struct pl_input *in = b->input;
    for (;;) {
        const char *newline = memchr(in->text + in->at, '\n', in->end - in->at);
        if (!newline && !in->ended) {
            if (b->how->stop && *b->how->stop)
                return pl_fail(b->error, PL_ERR_LIMIT, "interrupted");
            enum pl_status status = pl_input_more(in, b->error);
            if (status)
                return status;
            continue;
        }
        if (in->at == in->end)
            return PL_OK;
        struct line line = {b, in->at, newline ? (size_t)(newline - in->text) : in->end};
        enum pl_status status = read_line(&line);
        if (status)
            return status;
        in->at = line.end + (newline != NULL);
        in->line++;
        in->line_start = in->at;
    }
}
