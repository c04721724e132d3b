/* A history in the making: see builder.h. */
#include "history/builder.h"

#include <stdlib.h>
#include <string.h>

enum { SMALL = 1 << 16 };
#define DROPPED (INT64_MIN + 2) /* as a result: the operation did not happen */

void pl_builder_init(struct pl_builder *b, struct pl_history *history, const struct pl_read *how,
                     struct pl_input *input, struct pl_error *error)
{
    *b = (struct pl_builder){.history = history, .how = how, .input = input, .error = error};
    b->small = calloc(SMALL, sizeof *b->small);
    PL_ASSERT(b->small);
}

void pl_builder_release(struct pl_builder *b)
{
    pl_names_release(&b->names);
    free(b->open);
    free(b->small);
    free(b->stamp);
}

/* A number without sign or leading zeros, below SMALL; else SMALL. */
static uint32_t small_number(const char *text, size_t length)
{
    uint32_t n = 0;
    if (length > 5 || (length > 1 && text[0] == '0'))
        return SMALL;
    for (size_t i = 0; i < length; i++) {
        if (text[i] < '0' || text[i] > '9')
            return SMALL;
        n = n * 10 + (uint32_t)(text[i] - '0');
    }
    return n < SMALL ? n : SMALL;
}

uint32_t pl_builder_thread(struct pl_builder *b, const char *name, size_t length)
{
    uint32_t n = small_number(name, length);
    if (n < SMALL && b->small[n])
        return b->small[n] - 1;
    struct pl_history *h = b->history;
    uint32_t thread = (uint32_t)(pl_values_text(&h->thread_names, name, length) - PL_INTERNED);
    h->threads = h->thread_names.count;
    if (n < SMALL)
        b->small[n] = thread + 1;
    if (thread >= b->open_room) {
        uint32_t room = thread * 2 + 16;
        b->open = realloc(b->open, room * sizeof *b->open);
        PL_ASSERT(b->open);
        memset(b->open + b->open_room, 0, (room - b->open_room) * sizeof *b->open);
        b->open_room = room;
    }
    return thread;
}

const struct pl_word *pl_builder_word(struct pl_builder *b, const char *name, size_t length,
                                      size_t place)
{
    int code = pl_names_find(&b->names, name, length);
    if (code >= 0)
        return pl_words_of(b->how->words, (uint8_t)code);
    struct pl_strbuf known;
    pl_strbuf_init(&known);
    for (size_t i = 0; i < b->how->words->count; i++) {
        const char *names = b->how->words->word[i].names;
        pl_strbuf_addf(&known, "%s%.*s", i ? ", " : "", (int)strcspn(names, "|"), names);
    }
    (void)pl_input_fail(b->input, place, b->error,
                        "the spec has no operation '%.*s'; it has %s (--map gives them your names)",
                        (int)(length < 60 ? length : 60), name, known.text);
    pl_strbuf_release(&known);
    return NULL;
}

static bool full(struct pl_builder *b, size_t place)
{
    if (b->time < PL_MOST_EVENTS / 2)
        return false;
    (void)pl_input_fail(b->input, place, b->error, "more operations than fit (a billion)");
    return true;
}

struct pl_operation *pl_builder_call(struct pl_builder *b, uint32_t thread,
                                     const struct pl_word *word, size_t place)
{
    if (b->open[thread]) {
        const struct pl_operation *open = &b->history->operation[b->open[thread] - 1];
        (void)pl_input_fail(b->input, place, b->error,
                            "a second call of this thread while the one of line %u has not ended",
                            open->line);
        return NULL;
    }
    if (full(b, place))
        return NULL;
    struct pl_operation *o = pl_history_add(b->history);
    b->open[thread] = b->history->count;
    o->call = b->time++;
    o->thread = thread;
    o->code = word->code;
    o->line = b->input->line;
    return o;
}

struct pl_operation *pl_builder_open(struct pl_builder *b, uint32_t thread, size_t place,
                                     const struct pl_word **word)
{
    if (!b->open[thread]) {
        (void)pl_input_fail(b->input, place, b->error, "this thread has no call that could end");
        return NULL;
    }
    struct pl_operation *o = &b->history->operation[b->open[thread] - 1];
    *word = pl_words_of(b->how->words, o->code);
    return o;
}

void pl_builder_settle(struct pl_builder *b, struct pl_operation *o, const struct pl_word *word,
                       enum pl_end end)
{
    enum pl_failed failed = b->how->failed;
    bool boolean = word->answer == PL_ANSWER_BOOL || word->answer == PL_ANSWER_SUCCESS;
    if (end != PL_END_FAIL)
        return;
    if (word->answer == PL_ANSWER_TAKE && failed != PL_FAILED_DROP) {
        o->result = PL_NIL;
    } else if (boolean && failed == PL_FAILED_ANSWER) {
        o->result = 0;
    } else {
        o->result = DROPPED;
        b->dropped++;
    }
}

enum pl_status pl_builder_end(struct pl_builder *b, struct pl_operation *o,
                              const struct pl_word *word, enum pl_end end, size_t place)
{
    b->open[o->thread] = 0;
    if (full(b, place))
        return b->error->status;
    if (end == PL_END_UNKNOWN) {
        o->result = PL_ANY;
        return PL_OK;
    }
    o->ret = b->time++;
    pl_builder_settle(b, o, word, end);
    return PL_OK;
}

void pl_builder_stamp(struct pl_builder *b, int64_t time, uint32_t event)
{
    if (b->stamps == b->stamp_room) {
        b->stamp_room = b->stamp_room ? b->stamp_room + b->stamp_room / 2 : 1024;
        b->stamp = realloc(b->stamp, b->stamp_room * sizeof *b->stamp);
        PL_ASSERT(b->stamp);
    }
    /* Negative times come first. */
    b->stamp[b->stamps++] = (struct pl_stamp){(uint64_t)time ^ (uint64_t)1 << 63, event};
}

/* Radix sort by time; at equal times calls come first, so that they overlap. */
static void sort_stamps(struct pl_builder *b)
{
    size_t n = b->stamps;
    struct pl_stamp *from = b->stamp, *to = malloc((n + 1) * sizeof *to);
    PL_ASSERT(to);
    for (unsigned pass = 0; pass < 9; pass++) {
        size_t count[257] = {0};
#define DIGIT(s) (pass == 0 ? (s).event & 1 : (s).time >> (8 * (pass - 1)) & 255)
        for (size_t i = 0; i < n; i++)
            count[DIGIT(from[i]) + 1]++;
        size_t most = 0;
        for (unsigned d = 0; d < 256; d++) {
            most = count[d + 1] > most ? count[d + 1] : most;
            count[d + 1] += count[d];
        }
        if (most == n)
            continue; /* all the same */
        for (size_t i = 0; i < n; i++)
            to[count[DIGIT(from[i])]++] = from[i];
#undef DIGIT
        struct pl_stamp *swap = from;
        from = to;
        to = swap;
    }
    free(to);
    b->stamp = from;
}

enum pl_status pl_builder_finish(struct pl_builder *b)
{
    struct pl_history *h = b->history;
    if (b->stamps) {
        sort_stamps(b);
        for (size_t i = 0; i < b->stamps; i++) {
            struct pl_operation *o = &h->operation[b->stamp[i].event / 2];
            *(b->stamp[i].event % 2 ? &o->ret : &o->call) = (uint32_t)i;
        }
    }
    free(b->stamp);
    b->stamp = NULL;
    if (b->dropped) {
        uint32_t kept = 0;
        for (uint32_t i = 0; i < h->count; i++)
            if (h->operation[i].result != DROPPED)
                h->operation[kept++] = h->operation[i];
        h->count = kept;
    }
    pl_history_finish(h);
    return PL_OK;
}

static bool same(const char *text, size_t length, const char *word)
{
    return strlen(word) == length && strncasecmp(text, word, length) == 0;
}

bool pl_is_nil(const char *text, size_t length)
{
    return same(text, length, "nil") || same(text, length, "empty") || same(text, length, "null") ||
           same(text, length, "none") || same(text, length, "-") || same(text, length, "exhausted");
}

int pl_is_bool(const char *text, size_t length)
{
    if (same(text, length, "true") || same(text, length, "1"))
        return 1;
    if (same(text, length, "false") || same(text, length, "0"))
        return 0;
    return -1;
}

pl_value pl_text_value(struct pl_history *h, const char *text, size_t length)
{
    bool negative = length > 1 && text[0] == '-';
    pl_value n = 0;
    size_t i = negative;
    for (; i < length && length < 19; i++) {
        if (text[i] < '0' || text[i] > '9')
            break;
        n = n * 10 + (text[i] - '0');
    }
    if (i == length && length)
        return negative ? -n : n;
    if (pl_is_nil(text, length))
        return PL_NIL;
    return pl_values_text(&h->values, text, length);
}
