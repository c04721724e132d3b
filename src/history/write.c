/* Writing our text format: see write.h. */
#include "history/write.h"

#include <string.h>

#include "history/builder.h"

/* Bare where that reads back as the same text, else in quotes. */
static void write_text(const char *text, size_t length, struct pl_strbuf *out)
{
    bool bare = length > 0;
    for (size_t i = 0; i < length; i++)
        bare = bare && (unsigned char)text[i] > ' ' && !strchr("[]\"#", text[i]);
    bare = bare && text[0] != '-' && (text[0] < '0' || text[0] > '9' || length >= 19);
    bare = bare && !pl_is_nil(text, length);
    if (bare) {
        pl_strbuf_add_bytes(out, text, length);
        return;
    }
    pl_strbuf_add(out, "\"");
    for (size_t i = 0; i < length; i++)
        pl_strbuf_add_bytes(out, text[i] == '"' || text[i] == '\n' ? "'" : &text[i], 1);
    pl_strbuf_add(out, "\"");
}

static void write_value(const struct pl_values *v, pl_value value, struct pl_strbuf *out)
{
    size_t count;
    const char *members;
    if (value < PL_INTERNED) {
        pl_values_print(v, value, out);
    } else if ((members = pl_values_members(v, value, &count)) != NULL) {
        pl_strbuf_add(out, "[");
        for (size_t i = 0; i < count; i++) {
            pl_value member;
            memcpy(&member, members + i * sizeof member, sizeof member);
            pl_strbuf_add(out, i ? " " : "");
            write_value(v, member, out);
        }
        pl_strbuf_add(out, "]");
    } else {
        const struct pl_value_entry *e = &v->entry[value - PL_INTERNED];
        write_text(v->bytes.text + e->start, e->length, out);
    }
}

void pl_write_thread(const struct pl_history *h, uint32_t thread, struct pl_strbuf *out)
{
    const struct pl_value_entry *e = &h->thread_names.entry[thread];
    pl_strbuf_add_bytes(out, h->thread_names.bytes.text + e->start, e->length);
}

void pl_write_call(const struct pl_history *h, const struct pl_vocabulary *words,
                   const struct pl_operation *o, bool keyed, struct pl_strbuf *out)
{
    const struct pl_word *w = pl_words_of(words, o->code);
    pl_write_thread(h, o->thread, out);
    pl_strbuf_add(out, " call ");
    pl_strbuf_add_bytes(out, w->names, strcspn(w->names, "|"));
    if (keyed) {
        pl_strbuf_add(out, " ");
        write_value(&h->values, o->argument[PL_KEY], out);
    }
    for (unsigned i = 0; i < w->arguments; i++) {
        pl_strbuf_add(out, " ");
        write_value(&h->values, o->argument[i], out);
    }
    pl_strbuf_add(out, "\n");
}

void pl_write_return(const struct pl_history *h, const struct pl_vocabulary *words,
                     const struct pl_operation *o, pl_value answer, struct pl_strbuf *out)
{
    const struct pl_word *w = pl_words_of(words, o->code);
    pl_write_thread(h, o->thread, out);
    pl_strbuf_add(out, " return");
    if (w->answer == PL_ANSWER_BOOL || w->answer == PL_ANSWER_SUCCESS) {
        pl_strbuf_add(out, answer == PL_ANY ? "" : answer ? " true" : " false");
    } else if (w->answer == PL_ANSWER_TAKE && answer == PL_NIL) {
        pl_strbuf_add(out, " empty");
    } else if (w->answer != PL_ANSWER_NONE && answer != PL_ANY) {
        pl_strbuf_add(out, " ");
        write_value(&h->values, answer, out);
    }
    pl_strbuf_add(out, "\n");
}
