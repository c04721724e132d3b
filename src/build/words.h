/*
 * A list of words, such as the arguments of a command.
 *
 * Invariant: at[count] is NULL once a word was added, so `at` serves as an argv.
 * Ownership: the list owns copies of its words. Out of memory ends the tool, as
 * in base/strbuf.h.
 */
#ifndef PL_BUILD_WORDS_H
#define PL_BUILD_WORDS_H

#include <stdbool.h>
#include <stddef.h>

struct pl_words {
    char **at;
    size_t count, room;
};

/* All zero is an empty list. */
void pl_words_init(struct pl_words *w);
void pl_words_release(struct pl_words *w);
void pl_words_add(struct pl_words *w, const char *word);
void pl_words_addf(struct pl_words *w, const char *format, ...)
    __attribute__((format(printf, 2, 3)));
void pl_words_add_all(struct pl_words *w, const struct pl_words *more);
bool pl_words_has(const struct pl_words *w, const char *word);

/*
 * Splits a command line as a POSIX shell splits it into words: blanks, '...',
 * "...", backslash; nothing is expanded. False: a quote is left open.
 */
bool pl_words_split(struct pl_words *w, const char *line);

#endif
