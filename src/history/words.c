/* Names of operations. */
#include "history/words.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

void pl_names_init(struct pl_names *n)
{
    *n = (struct pl_names){0};
}

void pl_names_release(struct pl_names *n)
{
    free(n->name);
    *n = (struct pl_names){0};
}

void pl_names_add(struct pl_names *n, const char *text, size_t length, uint8_t number)
{
    struct pl_name name = {.number = number};
    if (length > sizeof name.text)
        return; /* nobody writes such a name; it stays unknown */
    if (n->count == n->room) {
        n->room = n->room ? n->room * 2 : 32;
        n->name = realloc(n->name, n->room * sizeof *n->name);
        PL_ASSERT(n->name);
    }
    memcpy(name.text, text, length);
    name.length = (uint8_t)length;
    n->name[n->count++] = name;
}

/* A name that is found moves one place forward, so the ones in use come first. */
static int find_exact(struct pl_names *n, const char *text, size_t length)
{
    for (size_t i = 0; i < n->count; i++) {
        struct pl_name *name = &n->name[i];
        if (name->length != length || memcmp(name->text, text, length) != 0)
            continue;
        int number = name->number;
        if (i > 3) {
            struct pl_name moved = *name;
            *name = name[-1];
            name[-1] = moved;
        }
        return number;
    }
    return -1;
}

int pl_names_find(struct pl_names *n, const char *text, size_t length)
{
    int number = find_exact(n, text, length);
    if (number >= 0 || length > sizeof n->name->text)
        return number;
    char plain[sizeof n->name->text];
    size_t count = 0;
    for (size_t i = 0; i < length; i++)
        if (text[i] != '-' && text[i] != '_')
            plain[count++] = (char)tolower((unsigned char)text[i]);
    number = find_exact(n, plain, count);
    if (number >= 0)
        pl_names_add(n, text, length, (uint8_t)number); /* faster next time */
    return number;
}

static void add_word(struct pl_names *out, const struct pl_word *word)
{
    for (const char *name = word->names; *name;) {
        size_t length = strcspn(name, "|");
        pl_names_add(out, name, length, word->code);
        name += length + (name[length] == '|');
    }
}

/* Which word is called so: any of its names. -1: none. */
static int known(const struct pl_vocabulary *words, const char *text, size_t length)
{
    struct pl_names all;
    pl_names_init(&all);
    for (size_t i = 0; i < words->count; i++)
        add_word(&all, &words->word[i]);
    int code = pl_names_find(&all, text, length);
    pl_names_release(&all);
    return code;
}

enum pl_status pl_names_make(struct pl_names *out, const struct pl_vocabulary *words,
                             const char *map, struct pl_error *error)
{
    pl_names_init(out);
    for (const char *pair = map ? map : ""; *pair;) { /* first, so that they win */
        size_t length = strcspn(pair, ","), equals = strcspn(pair, "=");
        if (equals == 0 || equals + 1 >= length)
            return pl_fail(error, PL_ERR_INPUT,
                           "--map: '%.*s' is not OURS=YOURS, as in enq=my_put,deq=my_get",
                           (int)length, pair);
        int code = known(words, pair, equals);
        if (code < 0)
            return pl_fail(error, PL_ERR_INPUT, "--map: the spec has no operation '%.*s'",
                           (int)equals, pair);
        const char *yours = pair + equals + 1;
        int other = find_exact(out, yours, length - equals - 1);
        if (other >= 0 && other != code)
            return pl_fail(error, PL_ERR_INPUT, "--map: '%.*s' is the name of two operations",
                           (int)(length - equals - 1), yours);
        pl_names_add(out, yours, length - equals - 1, (uint8_t)code);
        pair += length + (pair[length] == ',');
    }
    for (size_t i = 0; i < words->count; i++)
        add_word(out, &words->word[i]);
    return PL_OK;
}

const struct pl_word *pl_words_of(const struct pl_vocabulary *words, uint8_t code)
{
    size_t i = 0;
    while (words->word[i].code != code) {
        i++;
        PL_ASSERT(i < words->count);
    }
    return &words->word[i];
}

void pl_operation_print(const struct pl_history *h, const struct pl_vocabulary *words,
                        const struct pl_operation *o, struct pl_strbuf *out)
{
    const struct pl_word *w = pl_words_of(words, o->code);
    pl_strbuf_add_bytes(out, w->names, strcspn(w->names, "|"));
    pl_strbuf_add(out, "(");
    for (unsigned i = 0; i < w->arguments; i++) {
        pl_strbuf_add(out, i ? ", " : "");
        pl_values_print(&h->values, o->argument[i], out);
    }
    pl_strbuf_add(out, ")");
    if (pl_pending(o)) {
        pl_strbuf_add(out, " never returned");
        return;
    }
    if (w->answer == PL_ANSWER_NONE || o->result == PL_ANY)
        return;
    pl_strbuf_add(out, " -> ");
    if (w->answer == PL_ANSWER_TAKE && o->result == PL_NIL)
        pl_strbuf_add(out, "empty");
    else if (w->answer == PL_ANSWER_BOOL || w->answer == PL_ANSWER_SUCCESS)
        pl_strbuf_add(out, o->result ? "true" : "false");
    else
        pl_values_print(&h->values, o->result, out);
}
