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

/* Up to the bracket: calls of one name are of one operation. */
static bool same_name(const char *a, const char *b)
{
    size_t length = strcspn(a, "(");
    return strcspn(b, "(") == length && strncmp(a, b, length) == 0;
}

enum pl_status pl_check_add_putters(struct pl_checker *c, struct pl_error *error)
{
    unsigned putters, takers, found = 0;
    int64_t greatest = 0, value;
    struct pl_call like = {0};
    enum pl_status status = read_counts(c->clients, &putters, &takers, error);
    for (size_t i = 0; i < c->call_texts.count && !status; i++) {
        struct pl_call call;
        status = pl_call_parse(&call, c->call_texts.text[i], error);
        bool puts = !status && pl_call_last_number(&call, &value) &&
                    (!like.text || same_name(like.text, call.text));
        found += puts;
        greatest = puts && value > greatest ? value : greatest;
        if (puts && !like.text)
            like = call;
        else if (!status)
            pl_call_release(&call);
    }
    for (; like.text && found < putters && !status; found++) {
        char *more = pl_call_with(&like, ++greatest);
        pl_texts_add(&c->call_texts, more);
        pl_texts_add(&c->made, more);
    }
    pl_call_release(&like);
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
