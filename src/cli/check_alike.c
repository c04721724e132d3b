/*
 * Tests that show the same: see check_parts.h. Under a weak model no call is to blame for a
 * history, so that of every test would count as another violation, also of one that is wrong under
 * sc. Two are alike if they differ in the order of their threads, and in which number is which:
 *
 *     put(2),put(2) | put(1)      put(1) | put(2),put(2)      →      put(1) | put(2),put(2)
 */
#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "cli/check_parts.h"

enum { MOST_NUMBERS = 64 };

struct numbers {
    const char *at[MOST_NUMBERS]; /* where each stands first */
    size_t length[MOST_NUMBERS], count;
};

static size_t number_of(struct numbers *n, const char *digits, size_t length)
{
    size_t k = 0;
    while (k < n->count && (n->length[k] != length || strncmp(n->at[k], digits, length) != 0))
        k++;
    if (k == n->count && k < MOST_NUMBERS) {
        n->at[k] = digits;
        n->length[k] = length;
        n->count++;
    }
    return k;
}

/* With its numbers by order of appearance; n NULL: all alike. Digits of a name stay. */
static void add_renamed(const char *text, struct numbers *n, struct pl_strbuf *out)
{
    for (const char *p = text; *p;) {
        size_t length = strspn(p, "0123456789");
        bool in_name = p > text && (isalnum((unsigned char)p[-1]) || p[-1] == '_');
        if (length && !in_name) {
            pl_strbuf_addf(out, "#%zu", n ? number_of(n, p, length) : 0);
        } else {
            length = length ? length : 1;
            pl_strbuf_add_bytes(out, p, length);
        }
        p += length;
    }
}

struct column {
    char *text, *form;
};

static int by_form(const void *a, const void *b)
{
    return strcmp(((const struct column *)a)->form, ((const struct column *)b)->form);
}

/* The calls of a thread from `first` on, as written. */
static struct column read_column(const struct pl_checker *c, const struct pl_test *test,
                                 unsigned first, unsigned count)
{
    struct pl_strbuf text, form;
    pl_strbuf_init(&text);
    pl_strbuf_init(&form);
    for (unsigned i = 0; i < count; i++)
        pl_strbuf_addf(&text, "%s;", c->calls[test->operation[first + i]].shown);
    add_renamed(text.text, NULL, &form);
    return (struct column){pl_strbuf_detach(&text), pl_strbuf_detach(&form)};
}

/* The columns in an order of their own, between what main calls before and after. */
static char *form_of(const struct pl_checker *c, const struct pl_test *test)
{
    struct column column[PL_TEST_THREADS + 1];
    unsigned first = test->init, columns = 0;
    column[columns++] = read_column(c, test, 0, test->init);
    for (unsigned t = 1; t < test->threads; first += test->length[t++])
        column[columns++] = read_column(c, test, first, test->length[t]);
    qsort(column + 1, columns - 1, sizeof *column, by_form);
    column[columns++] = read_column(c, test, first, test->final);
    struct pl_strbuf whole, form;
    struct numbers numbers = {.count = 0};
    pl_strbuf_init(&whole);
    pl_strbuf_init(&form);
    for (unsigned k = 0; k < columns; k++) {
        pl_strbuf_addf(&whole, "%s|", column[k].text);
        free(column[k].text);
        free(column[k].form);
    }
    add_renamed(whole.text, &numbers, &form);
    pl_strbuf_release(&whole);
    return pl_strbuf_detach(&form);
}

bool pl_check_is_alike(struct pl_checker *c, const struct pl_test *test, const struct pl_bad *bad)
{
    struct pl_strbuf key;
    char *form = form_of(c, test);
    pl_strbuf_init(&key);
    pl_strbuf_addf(&key, "%s of %s", pl_finding_text(bad->kind), form);
    bool known = pl_check_is_known(c, key.text), blamed = !strchr(bad->signature, '\n');
    pl_strbuf_release(&key);
    free(form);
    return known && !blamed;
}
