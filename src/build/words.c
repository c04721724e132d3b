/* See words.h. */
#include "build/words.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/status.h"
#include "base/strbuf.h"

void pl_words_init(struct pl_words *w)
{
    *w = (struct pl_words){0};
}

void pl_words_release(struct pl_words *w)
{
    for (size_t i = 0; i < w->count; i++)
        free(w->at[i]);
    free(w->at);
    *w = (struct pl_words){0};
}

/* Takes the word over. */
static void push(struct pl_words *w, char *word)
{
    PL_ASSERT(word != NULL);
    if (w->count + 2 > w->room) {
        w->room = w->room ? w->room * 2 : 16;
        char **at = realloc(w->at, w->room * sizeof *at);
        PL_ASSERT(at != NULL);
        w->at = at;
    }
    w->at[w->count++] = word;
    w->at[w->count] = NULL;
}

void pl_words_add(struct pl_words *w, const char *word)
{
    push(w, strdup(word));
}

void pl_words_addf(struct pl_words *w, const char *format, ...)
{
    va_list args;
    char *text = NULL;

    va_start(args, format);
    int length = vasprintf(&text, format, args);
    va_end(args);
    push(w, length < 0 ? NULL : text);
}

void pl_words_add_all(struct pl_words *w, const struct pl_words *more)
{
    for (size_t i = 0; i < more->count; i++)
        pl_words_add(w, more->at[i]);
}

bool pl_words_has(const struct pl_words *w, const char *word)
{
    for (size_t i = 0; i < w->count; i++)
        if (strcmp(w->at[i], word) == 0)
            return true;
    return false;
}

bool pl_words_split(struct pl_words *w, const char *line)
{
    struct pl_strbuf word;
    bool inside = false; /* a word has begun, empty as it may be: '' is a word */
    char quote = 0;

    pl_strbuf_init(&word);
    for (const char *p = line; *p; p++) {
        if (!quote && strchr(" \t\n", *p)) {
            if (inside)
                pl_words_add(w, word.text);
            inside = false;
            pl_strbuf_clear(&word);
            continue;
        }
        inside = true;
        if (!quote && (*p == '\'' || *p == '"')) {
            quote = *p;
        } else if (quote && *p == quote) {
            quote = 0;
        } else if (*p == '\\' && p[1] && quote != '\'' && (!quote || strchr("\"\\$`\n", p[1]))) {
            p++;
            if (*p != '\n')
                pl_strbuf_add_bytes(&word, p, 1);
        } else {
            pl_strbuf_add_bytes(&word, p, 1);
        }
    }
    if (inside)
        pl_words_add(w, word.text);
    pl_strbuf_release(&word);
    return quote == 0;
}
