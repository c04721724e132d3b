/* Serial histories in a file: see observe.h. */
#include "cli/observe.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli/options.h"

struct pl_observe {
    FILE *file;
    struct pl_texts sets; /* tests that are there; owned */
};

static void print_escaped(FILE *file, const char *text)
{
    for (; *text; text++)
        switch (*text) {
        case '<':
            (void)fputs("&lt;", file);
            break;
        case '>':
            (void)fputs("&gt;", file);
            break;
        case '&':
            (void)fputs("&amp;", file);
            break;
        case '"':
            (void)fputs("&quot;", file);
            break;
        default:
            (void)fputc((unsigned char)*text < 32 ? '?' : *text, file);
        }
}

enum pl_status pl_observe_open(struct pl_observe **out, const char *name, const char *subject,
                               struct pl_error *error)
{
    FILE *file = fopen(name, "we");
    if (!file)
        return pl_fail(error, PL_ERR_INPUT, "--observations %s: %s", name, strerror(errno));
    *out = calloc(1, sizeof **out);
    PL_ASSERT(*out);
    (*out)->file = file;
    (void)fputs("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<observations subject=\"", file);
    print_escaped(file, subject);
    (void)fputs("\">\n", file);
    return PL_OK;
}

bool pl_observe_close(struct pl_observe *o)
{
    (void)fputs("</observations>\n", o->file);
    bool fine = !ferror(o->file);
    fine = fclose(o->file) == 0 && fine;
    for (size_t i = 0; i < o->sets.count; i++)
        free((void *)(uintptr_t)o->sets.text[i]);
    pl_texts_release(&o->sets);
    free(o);
    return fine;
}

/* Do the two have the same operations with the same answers? */
static bool same_group(const struct pl_observed *a, const struct pl_observed *b, unsigned count)
{
    if (a->called != b->called || a->returned != b->returned)
        return false;
    for (unsigned i = 0; i < count; i++)
        if ((a->returned >> i & 1) && a->answer[i] != b->answer[i])
            return false;
    return true;
}

/* The first history of the group of history k. */
static size_t leader(const struct pl_trial *t, size_t k)
{
    size_t first = 0;
    while (!same_group(&t->observed[first], &t->observed[k], pl_test_count(t->test)))
        first++;
    return first;
}

static void print_group(const struct pl_observe *o, const struct pl_trial *t, size_t first,
                        unsigned id)
{
    FILE *f = o->file;
    const struct pl_observed *h = &t->observed[first];
    unsigned count = pl_test_count(t->test);
    (void)fprintf(f, "    <observation id=\"%u\">\n", id);
    for (unsigned thread = 0; thread < t->test->threads; thread++) {
        const char *between = "";
        if (!thread && !t->test->length[0])
            continue;
        (void)fprintf(f, "      <thread id=\"%u\">", thread);
        for (unsigned i = 0; i < count; i++)
            if ((h->called >> i & 1) && pl_test_thread(t->test, i) == thread) {
                (void)fprintf(f, "%s%u%s", between, i + 1, h->returned >> i & 1 ? "" : "B");
                between = " ";
            }
        (void)fputs("</thread>\n", f);
    }
    for (unsigned i = 0; i < count; i++) {
        if (!(h->called >> i & 1))
            continue;
        bool answers = (h->returned >> i & 1) && t->responses.at[h->answer[i]].text[0];
        (void)fprintf(f, "      <op id=\"%u\" name=\"", i + 1);
        print_escaped(f, t->calls[t->test->operation[i]].shown);
        (void)fputs(answers ? "\">" : "\"/>\n", f);
        if (answers) {
            print_escaped(f, t->responses.at[h->answer[i]].text);
            (void)fputs("</op>\n", f);
        }
    }
    for (size_t k = first; k < t->observed_count; k++) {
        h = &t->observed[k];
        if (leader(t, k) != first)
            continue;
        (void)fputs("      <history>", f);
        for (unsigned i = 0; i < h->ran; i++) {
            (void)fprintf(f, "%s%u[", i ? " " : "", h->order[i] + 1u);
            if (h->returned >> h->order[i] & 1)
                (void)fprintf(f, " ]%u", h->order[i] + 1u);
        }
        (void)fputs(h->called == h->returned ? "</history>\n" : " #</history>\n", f);
    }
    (void)fputs("    </observation>\n", f);
}

void pl_observe_add(struct pl_observe *o, const struct pl_trial *t)
{
    struct pl_strbuf test;
    unsigned id = 0;
    pl_strbuf_init(&test);
    pl_test_print(t->test, t->calls, &test);
    for (size_t i = 0; i < o->sets.count; i++)
        if (strcmp(o->sets.text[i], test.text) == 0) {
            pl_strbuf_release(&test);
            return;
        }
    (void)fputs("  <observationset test=\"", o->file);
    print_escaped(o->file, test.text);
    (void)fputs("\">\n", o->file);
    for (size_t k = 0; k < t->observed_count; k++)
        if (leader(t, k) == k)
            print_group(o, t, k, ++id);
    (void)fputs("  </observationset>\n", o->file);
    pl_texts_add(&o->sets, pl_strbuf_detach(&test));
}

unsigned pl_observe_group(const struct pl_trial *t, const struct pl_bad *bad)
{
    struct pl_observed like = {.called = bad->seen.head.called,
                               .returned = bad->seen.head.returned};
    unsigned count = pl_test_count(t->test), id = 0;
    for (unsigned i = 0; i < count; i++)
        like.answer[i] = (uint32_t)bad->seen.answer[i];
    for (size_t k = 0; k < t->observed_count; k++) {
        if (leader(t, k) != k)
            continue;
        id++;
        if (same_group(&t->observed[k], &like, count))
            return id;
    }
    return 0;
}
