/* --clients P+T: one call a thread, P that put different values in and T that take. */
#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli/check_parts.h"

static enum pl_status read_counts(const char *text, unsigned *putters, unsigned *takers,
                                  struct pl_error *error)
{
    char end;
    if (sscanf(text, "%2u+%2u%c", putters, takers, &end) != 2 || *putters + *takers == 0 ||
        *putters + *takers >= PL_TEST_THREADS)
        return pl_fail(error, PL_ERR_INPUT,
                       "--clients: '%s' is not PUTTERS+TAKERS, as 3+3: at most %d threads", text,
                       PL_TEST_THREADS - 1);
    return PL_OK;
}

/* The last number of a call's text that stands alone; its length, 0: there is none. */
static size_t find_number(const char *text, const char **at)
{
    size_t length = 0;
    for (const char *p = text; *p;) {
        size_t digits = strspn(p, "0123456789");
        bool alone = digits && (p == text || !(isalnum((unsigned char)p[-1]) || p[-1] == '_'));
        if (alone) {
            *at = p;
            length = digits;
        }
        p += digits ? digits : 1;
    }
    return length;
}

char *pl_check_call_with(const char *text, long long value)
{
    const char *at = NULL;
    char *more;
    size_t length = find_number(text, &at);
    if (!length)
        return NULL;
    if (asprintf(&more, "%.*s%lld%s", (int)(at - text), text, value, at + length) < 0)
        PL_ASSERT(!"memory");
    return more;
}

/* Up to the bracket: calls of one name are of one operation. */
static bool same_name(const char *a, const char *b)
{
    size_t length = strcspn(a, "(");
    return strcspn(b, "(") == length && strncmp(a, b, length) == 0;
}

enum pl_status pl_check_add_putters(struct pl_checker *c, struct pl_error *error)
{
    unsigned putters, takers, found = 0;
    long long greatest = 0;
    const char *like = NULL;
    enum pl_status status = read_counts(c->clients, &putters, &takers, error);
    for (size_t i = 0; i < c->call_texts.count && !status; i++) {
        const char *text = c->call_texts.text[i], *number;
        size_t digits = find_number(text, &number);
        if (!digits || (like && !same_name(like, text)))
            continue;
        found++;
        greatest = atoll(number) > greatest ? atoll(number) : greatest;
        like = like ? like : text;
    }
    for (; like && found < putters && !status; found++) {
        char *more = pl_check_call_with(like, ++greatest);
        pl_texts_add(&c->call_texts, more);
        pl_texts_add(&c->made, more);
    }
    return status;
}

/* The calls of `takers` have no argument, those of putters one, and all of one name. */
static void add_columns(const struct pl_checker *c, bool putters, unsigned wanted, unsigned *found,
                        struct pl_strbuf *out)
{
    const char *like = NULL;
    for (size_t i = 0; i < c->count; i++) {
        const char *shown = c->calls[i].shown, *open = strchr(shown, '(');
        bool empty = !open || open[1] == ')';
        if (empty == putters || (like && !same_name(like, shown)))
            continue;
        like = shown;
        do {
            if (*found == wanted)
                return;
            pl_strbuf_addf(out, "%s%s", out->length ? " | " : "", shown);
            ++*found;
        } while (!putters);
    }
}

enum pl_status pl_check_clients_test(struct pl_checker *c, struct pl_error *error)
{
    unsigned putters, takers, put = 0, taken = 0;
    struct pl_strbuf text;
    enum pl_status status = read_counts(c->clients, &putters, &takers, error);
    if (status)
        return status;
    pl_strbuf_init(&text);
    add_columns(c, true, putters, &put, &text);
    add_columns(c, false, takers, &taken, &text);
    if (put < putters || taken < takers)
        status = pl_fail(error, PL_ERR_INPUT,
                         "--clients %s: there are calls of %u values to put in and %s to take one "
                         "out: add calls, or values to the operation",
                         c->clients, put, taken ? "one" : "none");
    char *made = pl_strbuf_detach(&text);
    pl_texts_add(&c->made, made);
    pl_texts_add(&c->tests, made);
    return status;
}
